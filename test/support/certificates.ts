/** A certificate authority of the test's own and a certificate by it for this machine, made with the openssl command. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificates {
  /** PEM of the authority, for clients. */
  readonly ca: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  remove(): void;
}

/** `names`: the names for which the certificate is valid. */
export function createCertificates(names = "DNS:localhost,IP:127.0.0.1"): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "voice-ca-"));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): Buffer => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  // A key of RSA takes openssl fifty times as long to find.
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-batch"];
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.crt",
    "-days",
    "2",
    "-subj",
    "/CN=test authority",
  );
  openssl("req", ...newKey, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost");
  writeFileSync(file("names.ext"), `subjectAltName=${names}\n`);
  const signing = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names.ext"];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.crt", ...signing);
  return {
    ca: readFileSync(file("ca.crt"), "utf8"),
    caFile: file("ca.crt"),
    certFile: file("server.crt"),
    keyFile: file("server.key"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
