/* What every command that reaches a server does: one piece to load, because many small ones take longer. */
export * as call from './call.ts';
export * as complete from './complete.ts';
export * as info from './info.ts';
export * as listen from './listen.ts';
export * as prompt from './prompt.ts';
export * as prompts from './prompts.ts';
export * as read from './read.ts';
export * as resources from './resources.ts';
export * as rpc from './rpc.ts';
export * as templates from './templates.ts';
export * as tools from './tools.ts';
