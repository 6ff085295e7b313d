import { Code, ConnectError } from "@connectrpc/connect";
import type { Arg, Cell, CellCost } from "./gen/autobattle/v1/common_pb.js";
import { ErrorDetailSchema, ErrorReason } from "./gen/autobattle/v1/error_pb.js";

/** broken are the codes of failures on the way: the server itself explains each of its own with a detail. */
const broken: readonly Code[] = [Code.Canceled, Code.Unknown, Code.DeadlineExceeded, Code.Aborted, Code.Internal, Code.Unavailable];

/**
 * AutobattleError is a failed call: the server's own reason with everything it says about it. Its message is in the locale of
 * the call and may be shown to players as it is.
 */
export class AutobattleError extends Error {
  override readonly name = "AutobattleError";
  /** code is the gRPC status. */
  readonly code: Code;
  /** reason is why; UNSPECIFIED when the failure was not the server's (no connection, a proxy). */
  readonly reason: ErrorReason;
  /** rule is the id of the rule that refuses; empty: none. */
  readonly rule: string;
  /** args are what was wrong and what would be right. */
  readonly args: readonly Arg[];
  /** cells are the blocks in the way. */
  readonly cells: readonly Cell[];
  /** region is where a move may go. */
  readonly region: readonly CellCost[];
  /** retryable says that the same call, with the same command id, may succeed later. */
  readonly retryable: boolean;
  /** field is the path of the request's field that is wrong; empty: none. */
  readonly field: string;
  /** currentVersion is where the battle or the character is now, with VERSION_CONFLICT; 0 otherwise. */
  readonly currentVersion: bigint;

  private constructor(cause: ConnectError) {
    const detail = cause.findDetails(ErrorDetailSchema)[0];
    super(detail?.message || cause.rawMessage, { cause });
    this.code = cause.code;
    this.reason = detail?.reason ?? ErrorReason.UNSPECIFIED;
    this.rule = detail?.rule ?? "";
    this.args = detail?.args ?? [];
    this.cells = detail?.cells ?? [];
    this.region = detail?.region ?? [];
    this.field = detail?.field ?? "";
    this.currentVersion = detail?.currentVersion ?? 0n;
    this.retryable = detail ? detail.retryable : broken.includes(cause.code);
  }

  /** from makes an AutobattleError of anything thrown by a call; one that is already such an error is returned as it is. */
  static from(thrown: unknown): AutobattleError {
    if (thrown instanceof AutobattleError) return thrown;
    const e = ConnectError.from(thrown, Code.Unknown);
    return e.cause instanceof AutobattleError ? e.cause : new AutobattleError(e);
  }

  /** byRules says that the rules refused: nothing happened, no die was thrown, and the battle waits as before. */
  get byRules(): boolean {
    return this.reason >= 1 && this.reason <= 99;
  }
}
