import { call } from './call.ts';
import type { CommandSpec } from './command.ts';
import { complete } from './complete.ts';
import { demo } from './demo.ts';
import { info } from './info.ts';
import { listen } from './listen.ts';
import { prompt } from './prompt.ts';
import { prompts } from './prompts.ts';
import { read } from './read.ts';
import { resources } from './resources.ts';
import { rpc } from './rpc.ts';
import { templates } from './templates.ts';
import { tools } from './tools.ts';
import { tour } from './tour.ts';

/** Every command, in the order of the help. */
export const commands: ReadonlyMap<string, CommandSpec> = new Map(
  [info, tools, call, resources, templates, read, prompts, prompt, complete, listen, rpc, demo, tour].map((spec) => [
    spec.name,
    spec,
  ]),
);
