import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** eventually waits until a function gives something, asking again and again; it fails with the name after the limit. */
export async function eventually<T>(what: string | (() => string), f: () => T | undefined | null | false | Promise<T | undefined | null | false>, limitMs = 20_000): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const got = await f();
    if (got !== undefined && got !== null && got !== false) return got;
    if (performance.now() > end) throw new Error(`never came: ${typeof what === "string" ? what : what()}`);
    await new Promise((next) => setTimeout(next, 10));
  }
}

/** TestServer is an autobattled of a test's own, on ports of its own, that can be killed and started again. */
export class TestServer {
  readonly #dir = mkdtempSync(join(tmpdir(), "autobattled-"));
  readonly #binary: string;
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  #log = "";
  #grpc = "127.0.0.1:0";
  #http = "127.0.0.1:0";

  private constructor(args: readonly string[]) {
    const binary = process.env["AUTOBATTLED"];
    if (!binary) throw new Error("AUTOBATTLED must be the path of the server's binary: run clients/typescript/test.sh");
    this.#binary = binary;
    this.#args = args;
  }

  /** start starts a server with a store on disk. */
  static async start(...args: string[]): Promise<TestServer> {
    const s = new TestServer(args);
    await s.again();
    return s;
  }

  /** grpc is the URL of the gRPC port. */
  get grpc(): string {
    return `http://${this.#grpc}`;
  }
  /** http is the URL of the HTTP port. */
  get http(): string {
    return `http://${this.#http}`;
  }
  /** key has every role. */
  get key(): string {
    return readFileSync(join(this.#dir, "key"), "utf8").trim();
  }
  /** log is what the server wrote. */
  get log(): string {
    return this.#log;
  }
  /** dir is a folder of the server's own. */
  get dir(): string {
    return this.#dir;
  }

  /** again starts a server that was killed, on the same ports, with what it had stored. */
  async again(): Promise<void> {
    const ports = join(this.#dir, "ports");
    rmSync(ports, { force: true });
    const child = spawn(
      this.#binary,
      ["serve", "--listen", this.#grpc, "--http", this.#http, "--ports-file", ports, "--store", `bolt:${join(this.#dir, "db")}`, "--local-key", join(this.#dir, "key"), "--given-seed", "7", "--log-level", "warn", ...this.#args],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    this.#process = child;
    child.stderr?.on("data", (b: Buffer) => (this.#log += b.toString()));
    const bound = await eventually("the server's ports", () => {
      if (child.exitCode !== null) throw new Error(`autobattled ended: ${this.#log}`);
      try {
        return JSON.parse(readFileSync(ports, "utf8")) as { grpc: string; http: string };
      } catch {
        return undefined;
      }
    });
    this.#grpc = bound.grpc;
    this.#http = bound.http;
  }

  /** kill ends the server at once, as a crash does. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const p = this.#process;
    if (!p || p.exitCode !== null || p.signalCode !== null) return;
    const gone = once(p, "exit");
    p.kill(signal);
    await gone;
  }

  /** stop ends the server and forgets what it stored. */
  async stop(): Promise<void> {
    await this.kill("SIGTERM");
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
