// A phe-serve on a free port of the loopback, known by its ready line.
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const key = "key-of-the-tests";
const programs = process.env.PHE_PROGRAMS;

export class Server {
  constructor({ tls = false, flags = [] } = {}) {
    this.folder = mkdtempSync(join(tmpdir(), "phe-clients-"));
    this.flags = flags;
    if (!tls) return;
    this.certificate = join(this.folder, "cert.pem");
    const secret = join(this.folder, "key.pem");
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", secret, "-out",
      this.certificate], { stdio: "ignore" });
    this.flags.push(`--tls-certificate=${this.certificate}`, `--tls-key=${secret}`);
  }

  start(port = 0) {
    return new Promise((resolve, reject) => {
      this.process = spawn(join(programs, "phe-serve"), [`--listen=127.0.0.1:${port}`,
        `--data=${join(this.folder, "data")}`, `--key=${key}`, ...this.flags], { stdio: ["ignore", "pipe", "inherit"] });
      let text = "";
      this.process.stdout.on("data", (bytes) => {
        text += bytes;
        const found = /listening on (\S+)/.exec(text);
        if (!found) return;
        this.url = found[1];
        this.port = Number(new URL(this.url).port);
        resolve(this);
      });
      this.process.on("exit", (code) => reject(new Error(`phe-serve ended with ${code}`)));
    });
  }

  stop() {
    return new Promise((resolve) => {
      this.process.removeAllListeners("exit");
      this.process.on("exit", resolve);
      this.process.kill("SIGTERM");
    });
  }

  async end() {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

export const page = (event) => ({
  eventId: event,
  contextFeatures: [{ device: "mobile" }, { hour: 9 }],
  actions: ["a", "b", "c"].map((id) => ({ id, features: [{ topic: id }] })),
});
