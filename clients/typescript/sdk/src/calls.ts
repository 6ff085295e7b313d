import { Code, ConnectError, type Interceptor, type UnaryRequest } from "@connectrpc/connect";
import { AutobattleError } from "./errors.js";
import { retrying, type RetryPolicy } from "./retry.js";

/** CommandIds makes command ids: unique in this process by a counter, and among processes by a random word. */
export class CommandIds {
  readonly #prefix: string;
  #last = 0;

  constructor(prefix?: string) {
    this.#prefix = prefix ?? Array.from(crypto.getRandomValues(new Uint8Array(9)), (b) => (b % 36).toString(36)).join("");
  }

  /** next is an id that was never given before. */
  next(): string {
    this.#last++;
    return `${this.#prefix}-${this.#last}`;
  }
}

/** CallSettings says how calls are made. */
export interface CallSettings {
  /** key is the API key, from the server's operator. */
  key: string;
  /** ids makes command ids for calls that bring none. */
  ids: CommandIds;
  /** retry says how long calls are sent again. */
  retry: RetryPolicy;
  /** timeoutMs is how long one attempt of a unary call may take. */
  timeoutMs: number;
  /** measured is told how long each attempt of a unary call took. */
  measured?: ((method: string, ms: number) => void) | undefined;
}

/**
 * calls makes every call carry the key, gives commands a command id when they have none, and sends a unary call that failed
 * for the moment again: with the same command id, so that it is done once, however often it was sent.
 */
export function calls(s: CallSettings): Interceptor {
  return (next) => async (req) => {
    req.header.set("authorization", `Bearer ${s.key}`);
    if (req.stream) {
      return next(req).catch((thrown: unknown) => {
        throw AutobattleError.from(thrown);
      });
    }
    name(req, s.ids);
    return retrying(() => attempt(req, s, next), s.retry, req.signal);
  };
}

/** name gives a command its id. */
function name(req: UnaryRequest, ids: CommandIds): void {
  if (req.method.input.fields.some((f) => f.localName === "commandId")) {
    const command: object & { commandId?: string } = req.message as object;
    command.commandId ||= ids.next();
  }
}

async function attempt<R>(req: UnaryRequest, s: CallSettings, next: (req: UnaryRequest) => Promise<R>): Promise<R> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), s.timeoutMs);
  const began = performance.now();
  try {
    return await next({ ...req, signal: AbortSignal.any([req.signal, late.signal]) });
  } catch (thrown) {
    if (late.signal.aborted && !req.signal.aborted) {
      throw AutobattleError.from(new ConnectError(`no answer within ${s.timeoutMs} ms`, Code.DeadlineExceeded));
    }
    throw AutobattleError.from(thrown);
  } finally {
    clearTimeout(timer);
    s.measured?.(req.method.name, performance.now() - began);
  }
}
