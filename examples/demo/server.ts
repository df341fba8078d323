import { Server, type ServerOptions } from '@dragoman/server';
import { addAsking } from './asking.ts';
import { addClock } from './clock.ts';
import { addNotes } from './notes.ts';
import { addPrompts } from './prompts.ts';
import { addShowcase } from './showcase.ts';
import { addWeather } from './weather.ts';

/**
 * A server that shows every feature to a person: `dragoman demo`, the README and the tests use it.
 *
 * @param options such as a key ring for `requestState` that outlives the process
 */
export function createDemoServer(options: Partial<ServerOptions> = {}): Server {
  const server = new Server({
    ...options,
    name: 'dragoman-demo',
    version: '1.0.0',
    title: 'Dragoman demo',
    description: 'An imaginary travel office that shows every feature of the protocol',
    instructions: 'Ask for the weather before booking a table. Notes are shared by everyone who is connected.',
    cache: {
      tools: { ttlMs: 60_000, scope: 'public' },
      prompts: { ttlMs: 60_000, scope: 'public' },
      resourceTemplates: { ttlMs: 60_000, scope: 'public' },
    },
  });
  addWeather(server);
  addAsking(server);
  addShowcase(server);
  addNotes(server);
  addClock(server);
  addPrompts(server);
  return server;
}
