import { InputDeclinedError, type Server } from '@dragoman/server';

const table = {
  type: 'object',
  properties: {
    date: { type: 'string', format: 'date', title: 'Date' },
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 12, default: 2 },
    seating: {
      type: 'string',
      title: 'Seating',
      oneOf: [
        { const: 'in', title: 'Inside' },
        { const: 'out', title: 'On the terrace' },
      ],
      default: 'in',
    },
  },
  required: ['date'],
} as const;

const confirmation = {
  type: 'object',
  properties: { sure: { type: 'boolean', title: 'Book it?', default: true } },
  required: ['sure'],
} as const;

/** Tools that ask in the middle of a call: forms, a URL, the client's model, its roots. */
export function addAsking(server: Server): void {
  server.tool(
    'book_table',
    {
      title: 'Book a table',
      description: 'Books a table. Asks when and for how many, then asks to confirm',
      input: {
        type: 'object',
        properties: { city: { type: 'string', description: 'Where' } },
        required: ['city'],
        additionalProperties: false,
      },
      annotations: { destructiveHint: false, idempotentHint: false },
    },
    async ({ city }, ctx) => {
      const offer = await ctx.step('offer', () => `No. ${100 + (String(city).length % 7)}`);
      const { date, guests, seating } = await ctx.elicit('table', {
        message: `When would you like a table in ${city}?`,
        schema: table,
      });
      const where = seating === 'out' ? 'on the terrace' : 'inside';
      const { sure } = await ctx.elicit('confirm', {
        message: `Offer ${offer}: a table for ${guests ?? 2} ${where} in ${city} on ${date}. Book it?`,
        schema: confirmation,
      });
      return sure === true
        ? `Booked: ${city}, ${date}, ${guests ?? 2} guests, ${where} (${offer})`
        : 'Nothing was booked';
    },
  );

  server.tool(
    'connect_account',
    { title: 'Connect an account', description: 'Asks the user to open a page (URL elicitation)' },
    async (_args, ctx) => {
      try {
        await ctx.elicitUrl('page', {
          message: 'Open this page to connect your imaginary account',
          url: 'https://example.com/connect',
        });
        return 'The page was opened. This demo takes your word for it.';
      } catch (error) {
        if (error instanceof InputDeclinedError) return 'Fine, nothing was connected.';
        throw error;
      }
    },
  );

  server.tool(
    'summarize',
    {
      title: 'Summarize',
      description: "Summarizes a text with the client's model (sampling, deprecated in 2026-07-28)",
      input: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
    },
    async ({ text }, ctx) => {
      const answer = await ctx.sample('summary', {
        messages: [{ role: 'user', content: { type: 'text', text: `Summarize in one sentence: ${text}` } }],
        maxTokens: 200,
      });
      const blocks = Array.isArray(answer.content) ? answer.content : [answer.content];
      return blocks.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
    },
  );

  server.tool(
    'where_am_i',
    {
      title: 'Where am I',
      description: 'Asks for the roots and for a name at once, in one round (roots are deprecated in 2026-07-28)',
      annotations: { readOnlyHint: true },
    },
    async (_args, ctx) => {
      const [roots, { name }] = await Promise.all([
        ctx.roots('roots'),
        ctx.elicit('name', {
          message: 'What shall I call you?',
          schema: { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, required: ['name'] },
        }),
      ]);
      const places = roots.map((root) => root.name ?? root.uri).join(', ') || 'nowhere in particular';
      return `${name}, you are working in ${places}.`;
    },
  );
}
