/** An answer to an operator or a tool. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}
