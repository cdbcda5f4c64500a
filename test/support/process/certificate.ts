import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes a self-signed certificate (PEM) for 127.0.0.1; undefined where there is no openssl. */
export function makeCertificate(): { readonly cert: string; readonly key: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const how = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const who = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  try {
    execFileSync("openssl", ["req", "-x509", ...how, ...who, "-keyout", key, "-out", cert], {
      stdio: "ignore",
      timeout: 60_000,
    });
    return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
