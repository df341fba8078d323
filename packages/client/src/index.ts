export { DragomanError, ErrorCode, McpError } from '@dragoman/protocol';
export type { ServerInfo } from './acquaintance.ts';
export { type Answer, Client, type OptionsOf, type PageParams, type WhenAsked } from './client.ts';
export { type Clock, systemClock } from './clock.ts';
export { type ConnectOptions, connect, type Target } from './connect.ts';
export type { ClientEvents, TraceEvent, Warning, WarningKind } from './events.ts';
export { type Continuation, type InputRequired, isInputRequired } from './input/continuation.ts';
export { acceptDefaults, formDefaults, formProblem } from './input/form.ts';
export type {
  ElicitFormHandler,
  ElicitUrlHandler,
  InputContext,
  InputHandlers,
  RootsHandler,
  SampleHandler,
} from './input/handlers.ts';
export type { ClientIO } from './io.ts';
export {
  type CacheEntry,
  type CacheInfo,
  type CacheStore,
  MemoryCache,
  type MemoryCacheLimits,
} from './layers/cache-store.ts';
export type { InputReport, RoundReport } from './layers/input-rounds.ts';
export { type KnownTool, ToolIndex } from './layers/tool-index.ts';
export {
  type CallOptions,
  type ClientLimits,
  type ClientOptions,
  DEFAULT_TIMEOUT,
  defaultLimits,
  type ReplyInfo,
} from './options.ts';
export { type OtelOptions, type OtelSpan, type OtelTracer, otel } from './otel.ts';
export type { LegacyAdapter } from './probe.ts';
export type { SubscriptionEvent } from './subscriptions/event.ts';
export type { ListenOptions, Subscription, SubscriptionClosed } from './subscriptions/subscription.ts';
export { MemoryVerdicts, type Verdict, type VerdictStore } from './verdicts.ts';
export { VERSION } from './version.ts';
export type { Fetch } from './wires/fetch.ts';
export { type HttpOptions, httpWire } from './wires/http.ts';
export type { HttpChallenge } from './wires/http-surroundings.ts';
export { type ExchangeTarget, memoryWire } from './wires/memory.ts';
export { type CommandTarget, type Spawn, type StdioOptions, type StdioWire, stdioWire } from './wires/stdio.ts';
export { type SocketTarget, type StreamOptions, type StreamTarget, socketWire, streamWire } from './wires/stream.ts';
export type { ConnectionOptions, Pem } from './wires/undici.ts';
export type { HeadersInput } from './wires/user-headers.ts';
export type {
  Cancellable,
  CloseReason,
  Wire,
  WireIO,
  WireObserver,
  WireTrace,
  WireWarning,
  WireWarningKind,
} from './wires/wire.ts';
