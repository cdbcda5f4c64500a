/** One step of the tables from version to version. A step that was released never changes. */
export interface Migration {
  /** Sorts after those before it. */
  readonly name: string;
  readonly statements: string;
  /**
   * The last migration that a program must know to go on after this one. Undefined: programs of the version before go on, since
   * the step only adds. What they use is taken away one release later, by a step that says so here.
   */
  readonly leastKnown?: string;
}

/** From an empty database to today's tables. All of it stands in the schema `tributary`. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: "0001-keys-usage-quotes-switches",
    statements: `
      CREATE TABLE tributary.keys (
        id text PRIMARY KEY,
        account text NOT NULL,
        label text NOT NULL,
        created_at bigint NOT NULL,
        expires_at bigint,
        revoked_at bigint,
        methods jsonb,
        origins jsonb,
        fee_recipient text,
        fee_ppm bigint,
        units_per_second bigint,
        burst bigint
      );
      CREATE TABLE tributary.secrets (
        key_id text NOT NULL REFERENCES tributary.keys (id),
        digest bytea NOT NULL,
        created_at bigint NOT NULL,
        expires_at bigint,
        PRIMARY KEY (key_id, digest)
      );
      CREATE TABLE tributary.pepper (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        digest bytea NOT NULL
      );
      CREATE TABLE tributary.usage (
        minute bigint NOT NULL,
        key_id text COLLATE "C" NOT NULL,
        method text COLLATE "C" NOT NULL,
        outcome text COLLATE "C" NOT NULL,
        requests bigint NOT NULL,
        units bigint NOT NULL,
        PRIMARY KEY (minute, key_id, method, outcome)
      ) WITH (fillfactor = 80);
      CREATE INDEX usage_by_key ON tributary.usage (key_id, minute);
      CREATE TABLE tributary.writers (
        writer uuid PRIMARY KEY,
        delivered bigint NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE tributary.quotes (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        writer uuid NOT NULL,
        writer_number bigint NOT NULL,
        request_id text NOT NULL,
        at bigint NOT NULL,
        block_hash text NOT NULL,
        calldata_hash text NOT NULL,
        quote text NOT NULL,
        UNIQUE (writer, writer_number)
      );
      CREATE INDEX quotes_by_request ON tributary.quotes (request_id);
      CREATE TABLE tributary.switches (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at bigint NOT NULL,
        kind text NOT NULL CHECK (kind IN ('source', 'pool', 'token')),
        id text NOT NULL,
        is_off boolean NOT NULL,
        reason text NOT NULL CHECK (reason <> '')
      );
      CREATE TABLE tributary.changes (
        topic text PRIMARY KEY,
        version bigint NOT NULL
      );
      INSERT INTO tributary.changes VALUES ('keys', 0), ('switches', 0);
      CREATE FUNCTION tributary.tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE tributary.changes SET version = version + 1 WHERE topic = TG_ARGV[0];
          PERFORM pg_notify('tributary_changes', TG_ARGV[0]);
          RETURN NULL;
        END
      $$;
      CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON tributary.keys
        FOR EACH STATEMENT EXECUTE FUNCTION tributary.tell_change('keys');
      CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON tributary.secrets
        FOR EACH STATEMENT EXECUTE FUNCTION tributary.tell_change('keys');
      CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON tributary.switches
        FOR EACH STATEMENT EXECUTE FUNCTION tributary.tell_change('switches');
    `,
  },
  {
    name: "0002-shares-of-surplus",
    statements: "ALTER TABLE tributary.keys ADD COLUMN surplus_recipient text, ADD COLUMN surplus_ppm bigint;",
  },
];
