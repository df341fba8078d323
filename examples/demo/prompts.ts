import type { Server } from '@dragoman/server';
import { cityNames } from './world.ts';

/** Prompts, with completion of their arguments. */
export function addPrompts(server: Server): void {
  server.prompt(
    'plan_trip',
    {
      title: 'Plan a trip',
      description: 'A plan for some days in a city',
      arguments: [
        { name: 'city', description: 'Where to', required: true },
        { name: 'days', description: 'How many days', required: true },
        { name: 'style', description: 'relaxed, busy or cheap' },
      ],
      complete: { city: cityNames, style: ['relaxed', 'busy', 'cheap'] },
    },
    ({ city, days, style }) =>
      `Plan ${days} ${style ?? 'relaxed'} days in ${city}. Look the weather up first and book one table.`,
  );

  server.prompt(
    'translate_letter',
    { title: 'Translate a letter', description: 'A letter from the archive, to be translated' },
    () => ({
      description: 'Translate the letter',
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: 'archive://letters/été.md',
              mimeType: 'text/markdown',
              text: 'Un été à Venise, traduit par le drogman.',
            },
          },
        },
        { role: 'user', content: { type: 'text', text: 'Translate this letter into English.' } },
      ],
    }),
  );
}
