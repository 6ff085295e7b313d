import { AutobattleError } from "./errors.js";

/** RetryPolicy says how long a call is sent again. */
export interface RetryPolicy {
  /** attempts is how often a call is sent in all, at least 1. Default 6. */
  attempts?: number;
  /** firstMs is the pause before the second attempt; it doubles, with a random part. Default 50. */
  firstMs?: number;
  /** mostMs is the longest pause. Default 2000. */
  mostMs?: number;
}

/** pause is the time before attempt n (from 1), in milliseconds: doubling, half of it random. */
export function pause(policy: RetryPolicy, n: number, random: () => number = Math.random): number {
  const whole = Math.min(policy.mostMs ?? 2000, (policy.firstMs ?? 50) * 2 ** Math.min(n - 1, 20));
  return whole / 2 + (whole / 2) * random();
}

/** sleep waits, or rejects with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** retrying calls f until it succeeds, fails for good, or the policy is exhausted. */
export async function retrying<T>(f: () => Promise<T>, policy: RetryPolicy, signal?: AbortSignal): Promise<T> {
  const attempts = Math.max(1, policy.attempts ?? 6);
  for (let n = 1; ; n++) {
    try {
      return await f();
    } catch (thrown) {
      const e = AutobattleError.from(thrown);
      if (!e.retryable || n >= attempts || signal?.aborted) throw e;
      await sleep(pause(policy, n), signal);
    }
  }
}
