// The fixture that the official conformance suite judges: every tool, resource and prompt its scenarios look for.
// Prints its URL on one line.
import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired, Server, serveHttp } from '@dragoman/server';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const server = new Server({
  name: 'dragoman-conformance',
  version: '1.0.0',
  requestState: { keys: [{ id: 'fixture', secret: 'a key of the fixture, long enough to be one' }] },
});

const object = (properties = {}, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const string = { type: 'string' };

// Tools: what they return

server.tool('test_simple_text', { description: 'Plain text' }, () => 'This is a simple text response for testing.');

server.tool('test_image_content', { description: 'An image' }, () => ({
  type: 'image',
  data: PNG,
  mimeType: 'image/png',
}));

server.tool('test_audio_content', { description: 'A sound' }, () => ({
  type: 'audio',
  data: WAV,
  mimeType: 'audio/wav',
}));

server.tool('test_embedded_resource', { description: 'An embedded resource' }, () => ({
  type: 'resource',
  resource: {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  },
}));

server.tool('test_multiple_content_types', { description: 'Text, an image and a resource' }, () => [
  { type: 'text', text: 'Multiple content types test:' },
  { type: 'image', data: PNG, mimeType: 'image/png' },
  {
    type: 'resource',
    resource: {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: '{"test":"data","value":123}',
    },
  },
]);

server.tool('test_error_handling', { description: 'Always fails' }, () => {
  throw new Error('This tool intentionally returns an error for testing');
});

server.tool('test_tool_with_logging', { description: 'Logs three times' }, async (_args, ctx) => {
  for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    ctx.log('info', line);
    await sleep(50);
  }
  return 'Logged';
});

server.tool('test_logging_tool', { description: 'Tries to log' }, (_args, ctx) => {
  ctx.log('info', 'only for those who asked');
  return 'Logged for those who asked';
});

server.tool('test_tool_with_progress', { description: 'Reports 0, 50 and 100 of 100' }, async (_args, ctx) => {
  for (const progress of [0, 50, 100]) {
    ctx.progress(progress, 100);
    await sleep(50);
  }
  return 'Done';
});

server.tool(
  'json_schema_2020_12_tool',
  {
    description: 'Its schema uses what JSON Schema 2020-12 offers',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } },
      },
      properties: {
        name: string,
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: string,
        email: string,
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  () => 'Valid',
);

server.tool(
  'test_x_mcp_header',
  {
    description: 'Mirrors its region in a header',
    input: object({ region: { type: 'string', 'x-mcp-header': 'Region' } }),
  },
  ({ region }) => `Region ${region}`,
);

// Tools: what they ask

const ok = object({ ok: { type: 'boolean' } });

server.tool(
  'test_missing_capability',
  { description: 'Needs sampling', requires: { sampling: {} } },
  () => 'Sampling it is',
);

server.tool('test_streaming_elicitation', { description: 'Asks while it streams' }, async (_args, ctx) => {
  ctx.progress(1, 2);
  const answer = await ctx.elicit('answer', { message: 'Go on?', schema: ok });
  return `You said ${answer.ok}`;
});

server.tool('test_input_required_result_elicitation', { description: 'Asks for a name' }, async (_args, ctx) => {
  const { name } = await ctx.elicit('user_name', { message: 'What is your name?', schema: object({ name: string }) });
  return `Hello, ${name}!`;
});

const capital = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
  maxTokens: 100,
};

server.tool('test_input_required_result_sampling', { description: "Asks the client's model" }, async (_args, ctx) => {
  const { content } = await ctx.sample('capital_question', capital);
  return `The model says: ${JSON.stringify(content)}`;
});

server.tool('test_input_required_result_list_roots', { description: 'Asks for roots' }, async (_args, ctx) => {
  const roots = await ctx.roots('client_roots');
  return `Roots: ${roots.map((root) => root.uri).join(', ')}`;
});

server.tool('test_input_required_result_request_state', { description: 'Carries state' }, async (_args, ctx) => {
  const state = await ctx.step('state', () => 'state-ok');
  await ctx.elicit('confirm', { message: 'Please confirm', schema: ok });
  return state;
});

server.tool(
  'test_input_required_result_multiple_inputs',
  { description: 'Asks three things at once' },
  async (_args, ctx) => {
    await ctx.step('state', () => 'three at once');
    const [{ name }, greeting, roots] = await Promise.all([
      ctx.elicit('user_name', { message: 'What is your name?', schema: object({ name: string }) }),
      ctx.sample('greeting', { ...capital, messages: [{ role: 'user', content: { type: 'text', text: 'Greet me' } }] }),
      ctx.roots('client_roots'),
    ]);
    return `${name}: ${JSON.stringify(greeting.content)} in ${roots.length} roots`;
  },
);

server.tool('test_input_required_result_multi_round', { description: 'Asks twice' }, async (_args, ctx) => {
  const { name } = await ctx.elicit('step1', { message: 'Step 1: your name?', schema: object({ name: string }) });
  const { color } = await ctx.elicit('step2', { message: 'Step 2: your colour?', schema: object({ color: string }) });
  return `${name} likes ${color}`;
});

server.tool(
  'test_input_required_result_tampered_state',
  { description: 'Rejects altered state' },
  async (_args, ctx) => {
    await ctx.step('state', () => 'sealed');
    await ctx.elicit('confirm', { message: 'Please confirm', schema: ok });
    return 'Confirmed';
  },
);

server.tool(
  'test_input_required_result_capabilities',
  { description: 'Asks only what the client can' },
  async (_args, ctx) => {
    if (ctx.client.capabilities.sampling !== undefined) {
      const { content } = await ctx.sample('capital_question', capital);
      return `The model says: ${JSON.stringify(content)}`;
    }
    const { name } = await ctx.elicit('user_name', { message: 'What is your name?', schema: object({ name: string }) });
    return `Hello, ${name}!`;
  },
);

// What a legacy peer's scenarios ask; written by hand here, as the lower of the two ways to ask.
server.tool(
  'test_elicitation',
  { description: 'Asks by hand', input: object({ message: string }) },
  ({ message }, ctx) => {
    const answer = ctx.inputResponses.user;
    if (answer !== undefined) return `User response: ${JSON.stringify(answer)}`;
    return inputRequired({
      requests: {
        user: {
          method: 'elicitation/create',
          params: { mode: 'form', message, requestedSchema: object({ username: string, email: string }) },
        },
      },
    });
  },
);

// Tools: what they change

let triggers = 0;
server.tool('test_trigger_tool_change', { description: 'Changes the list of tools' }, () => {
  const name = `test_dynamic_${++triggers}`;
  server.tool(name, { description: 'Comes and goes' }, () => 'here').remove();
  return 'The list of tools changed';
});

server.tool('test_trigger_prompt_change', { description: 'Changes the list of prompts' }, () => {
  const name = `test_dynamic_${++triggers}`;
  server.prompt(name, { description: 'Comes and goes' }, () => 'here').remove();
  return 'The list of prompts changed';
});

// Resources

server.resource(
  'test://static-text',
  { name: 'static-text', description: 'Static text', mimeType: 'text/plain' },
  () => 'This is the content of the static text resource.',
);
server.resource(
  'test://static-binary',
  { name: 'static-binary', description: 'A picture', mimeType: 'image/png' },
  () => Buffer.from(PNG, 'base64'),
);
server.resource('test://watched-resource', { name: 'watched-resource', mimeType: 'text/plain' }, () => 'Watched');
server.resourceTemplate(
  'test://template/{id}/data',
  { name: 'template', description: 'Data by id', mimeType: 'application/json' },
  (_uri, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
);

// Prompts

server.prompt('test_simple_prompt', { description: 'One message' }, () => 'This is a simple prompt for testing.');
server.prompt(
  'test_prompt_with_arguments',
  {
    description: 'Two arguments',
    arguments: [
      { name: 'arg1', description: 'First', required: true },
      { name: 'arg2', description: 'Second', required: true },
    ],
    complete: { arg1: ['test', 'testing', 'other'] },
  },
  ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
);
server.prompt(
  'test_prompt_with_embedded_resource',
  {
    description: 'An embedded resource',
    arguments: [{ name: 'resourceUri', description: 'Its URI', required: true }],
  },
  ({ resourceUri }) => ({
    messages: [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ],
  }),
);
server.prompt('test_prompt_with_image', { description: 'A picture' }, () => ({
  messages: [
    { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
    { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
  ],
}));
server.prompt('test_input_required_result_prompt', { description: 'Asks for context' }, async (_args, ctx) => {
  const { context } = await ctx.elicit('user_context', {
    message: 'In which context?',
    schema: object({ context: string }),
  });
  return `Use this context: ${context}`;
});

const serving = await serveHttp(server, { port: Number(process.env.PORT ?? 0) });
process.once('SIGTERM', () => void serving.close().then(() => process.exit(0)));
console.log(serving.url);
