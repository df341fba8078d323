// What the types of a server say, checked by the compiler alone: nothing that a schema describes comes out as `any`.
import type { CreateMessageResult, JsonSchemaValue, Root } from '@dragoman/protocol';
import {
  type ArgumentsOf,
  type Context,
  type PromptArgumentsOf,
  Server,
  type TemplateVariables,
  type ToolOutput,
  type VariablesOf,
} from '@dragoman/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import Type from 'typebox';
import * as v from 'valibot';
import { z } from 'zod';

/** Whether two types are one and the same; `any` is the same as nothing but itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where the two types are the same. */
function same<A, B>(..._proof: Same<A, B> extends true ? [] : [never]): void {}

const anything = JSON.parse('1');
// @ts-expect-error any is not unknown
same<typeof anything, unknown>();
// @ts-expect-error and no string
same<typeof anything, string>();

/** One level deep what an intersection comes to. */
type Flat<T> = { [K in keyof T]: T[K] };

const server = new Server({ name: 'types', version: '1.0.0' });

const zodCity = z.object({ city: z.string(), days: z.int().default(3), unit: z.enum(['c', 'f']).optional() });
const arkCity = type({ city: 'string', 'days?': 'number' });
const valibotCity = toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) }));
const typeboxCity = Type.Object({
  city: Type.String(),
  days: Type.Optional(Type.Integer()),
  unit: Type.Optional(Type.Union([Type.Literal('c'), Type.Literal('f')])),
});
const jsonCity = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', default: 3 },
    unit: { enum: ['c', 'f'] },
    tags: { type: 'array', items: { type: 'string' } },
    until: { type: ['string', 'null'] },
    id: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    place: {
      type: 'object',
      properties: { at: { const: 'here' }, deep: { type: 'boolean' } },
      required: ['at'],
      additionalProperties: false,
    },
  },
  required: ['city', 'unit'],
} as const;

// Arguments of tools.

server.tool('zod', { input: zodCity }, (args) => {
  same<typeof args, { city: string; days: number; unit?: 'c' | 'f' | undefined }>();
  return args.city;
});
server.tool(
  'zod, made into something else',
  { input: z.object({ at: z.iso.date().transform((d) => new Date(d)) }) },
  (args) => {
    same<typeof args, { at: Date }>();
  },
);
server.tool('arktype', { input: arkCity }, (args) => {
  same<typeof args, { city: string; days?: number }>();
});
server.tool('valibot', { input: valibotCity }, (args) => {
  same<typeof args, { city: string; days: number }>();
});
server.tool('typebox', { input: typeboxCity }, (args) => {
  same<typeof args.city, string>();
  same<typeof args.days, number | undefined>();
  same<(typeof args)['unit'], 'c' | 'f' | undefined>();
  same<typeof args.other, unknown>();
});
server.tool('JSON Schema', { input: jsonCity }, (args) => {
  same<typeof args.city, string>();
  same<typeof args.days, number | undefined>();
  same<typeof args.unit, 'c' | 'f'>();
  same<typeof args.tags, string[] | undefined>();
  same<typeof args.until, string | null | undefined>();
  same<typeof args.id, string | number | undefined>();
  same<typeof args.place, ({ at: 'here' } & { deep?: boolean } & unknown) | undefined>();
  same<typeof args.other, unknown>();
});
server.tool('JSON Schema in place', { input: { type: 'object', properties: { city: { type: 'string' } } } }, (args) => {
  same<typeof args.city, string | undefined>();
});
server.tool(
  'JSON Schema that allows nothing else',
  { input: { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false } },
  (args) => {
    // @ts-expect-error no such argument
    args.town;
  },
);
server.tool('JSON Schema of names', { input: { type: 'object', additionalProperties: { type: 'number' } } }, (args) => {
  same<typeof args, { [name: string]: number }>();
});
const widened = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
server.tool('JSON Schema that the compiler cannot read', { input: widened }, (args) => {
  same<typeof args, { [name: string]: unknown }>();
});
const loaded: object = widened;
server.tool('JSON Schema from elsewhere', { input: loaded }, (args) => {
  same<typeof args, { [name: string]: unknown }>();
});
same<JsonSchemaValue<{ type: 'array'; items: { $ref: '#/$defs/a' } }>, unknown[]>();
same<JsonSchemaValue<{ type: 'array'; prefixItems: [{ type: 'string' }] }>, unknown[]>();
same<JsonSchemaValue<{ anyOf: [{ type: 'string' }, { type: 'array'; items: { const: 1 } }] }>, string | 1[]>();
same<JsonSchemaValue<{ properties: { a: { type: 'string' } } }>, unknown>();
same<JsonSchemaValue<true>, unknown>();
server.tool('none', {}, (args, ctx) => {
  same<typeof args, { readonly [name: string]: never }>();
  same<typeof ctx, Context>();
});
same<ArgumentsOf<typeof zodCity>['days'], number>();

// Structured output.

const Sum = z.object({ sum: z.number() });
server.tool('sum', { output: Sum }, () => ({ structured: { sum: 1 } }));
server.tool('sum, later', { output: Sum }, async () => ({ structured: { sum: 1 }, text: 'one' }));
// @ts-expect-error a sum is a number
server.tool('sum', { output: Sum }, () => ({ structured: { sum: 'one' } }));
// @ts-expect-error a sum has its name
server.tool('sum', { output: Sum }, () => ({ structured: { total: 1 } }));
server.tool('what goes in', { output: z.object({ n: z.number().default(1) }) }, () => ({ structured: {} }));
server.tool('any value', { output: { type: 'array' } }, () => ({ structured: [1, 2] }));
same<Extract<ToolOutput<{ n: number }>, { structured?: unknown }>['structured'], { n: number } | undefined>();
// @ts-expect-error a number is nothing that a tool returns
server.tool('wrong', {}, () => 7);

// Questions.

server.tool('asks', {}, async (_args, ctx) => {
  const form = await ctx.elicit('zod', {
    message: 'When?',
    schema: z.object({ date: z.iso.date(), party: z.int().optional() }),
  });
  same<typeof form, { date: string; party?: number | undefined }>();
  const ark = await ctx.elicit('arktype', { message: 'When?', schema: arkCity });
  same<typeof ark, { city: string; days?: number }>();
  const json = await ctx.elicit('JSON Schema', { message: 'Where?', schema: jsonCity });
  same<typeof json.city, string>();
  const place = await ctx.elicit('JSON Schema in place', {
    message: 'Where?',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  });
  same<typeof place.city, string>();
  const gone = await ctx.elicitUrl('login', { message: 'Log in', url: 'https://login.example' });
  same<typeof gone, void>();
  const sampled = await ctx.sample('model', { messages: [], maxTokens: 10 });
  same<typeof sampled, CreateMessageResult>();
  const roots = await ctx.roots();
  same<typeof roots, readonly Root[]>();
  const kept = await ctx.step('price', () => ({ price: 7 }));
  same<typeof kept, { price: number }>();
  const keptLater = await ctx.step('price', async () => 7);
  same<typeof keptLater, number>();
  same<typeof ctx.state, unknown>();
});

// Variables of templates.

server.resourceTemplate('file:///{+path}{?version,lines*}', { name: 'file' }, (uri, variables) => {
  same<typeof uri, string>();
  same<
    Flat<typeof variables>,
    { readonly path: string; readonly version?: string; readonly lines?: readonly string[] }
  >();
  return variables.path;
});
server.resourceTemplate('city://{name}/{day:3}/{parts*}', { name: 'city' }, (_uri, variables) => {
  same<Flat<typeof variables>, { readonly name: string; readonly day: string; readonly parts: readonly string[] }>();
  // @ts-expect-error no such variable
  variables.nam;
  return variables.name;
});
same<VariablesOf<string>, TemplateVariables>();
same<TemplateVariables[string], string | readonly string[] | undefined>();

// Arguments of prompts.

server.prompt('zod', { arguments: z.object({ code: z.string(), lines: z.coerce.number().optional() }) }, (args) => {
  same<typeof args, { code: string; lines?: number | undefined }>();
  return args.code;
});
server.prompt('list', { arguments: [{ name: 'code', required: true }, { name: 'style' }] }, (args) => {
  same<typeof args.code, string | undefined>();
  return args.code ?? '';
});
server.prompt('none', {}, (args) => {
  same<keyof typeof args, string | number>();
  return 'hello';
});
same<PromptArgumentsOf<typeof valibotCity>['city'], string>();
