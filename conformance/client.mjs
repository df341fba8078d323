// The client that the official conformance suite judges: `node client.mjs URL`, the scenario in the environment.
import { acceptDefaults, connect } from '@dragoman/client';

const url = process.argv[2];
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

const options = {
  clientInfo: { name: 'dragoman-conformance', version: '1.0.0' },
  onWarning: (warning) => console.error('warning:', warning.message),
};
const confirmed = { elicitForm: () => ({ action: 'accept', content: { confirmed: true } }) };
const defaults = { elicitForm: ({ requestedSchema }) => acceptDefaults(requestedSchema) };
const everything = {
  ...defaults,
  elicitUrl: () => ({ action: 'decline' }),
  sample: () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } }),
  roots: () => [],
};

/** What each scenario wants the client to do, and with which options. */
const scenarios = [
  [
    'tools_call',
    async (client) => {
      await client.listAllTools();
      await client.callTool('add_numbers', { a: 5, b: 3 });
    },
  ],
  [
    'request-metadata',
    async (client) => {
      await client.listAllTools();
    },
    { handlers: everything },
  ],
  [
    'sep-2322-client-request-state',
    async (client) => {
      await client.listAllTools();
      await client.callTool('test_mrtr_echo_state', {});
      await client.callTool('test_mrtr_no_state', {});
      await client.callTool('test_mrtr_unrelated', {});
      await client.callTool('test_mrtr_no_result_type', {});
    },
    { handlers: confirmed },
  ],
  [
    'elicitation-sep1034-client-defaults',
    async (client) => {
      await client.listAllTools();
      await client.callTool('test_client_elicitation_defaults', {});
    },
    { handlers: defaults },
  ],
  [
    'http-standard-headers',
    async (client) => {
      for (const tool of await client.listAllTools()) await client.callTool(tool.name, {});
      for (const resource of await client.listAllResources()) await client.readResource(resource.uri);
      for (const prompt of await client.listAllPrompts()) await client.getPrompt(prompt.name);
    },
  ],
  [
    'http-custom-headers',
    async (client) => {
      await client.listAllTools();
      for (const call of context.toolCalls ?? []) await client.callTool(call.name, call.arguments);
    },
  ],
  [
    'http-invalid-tool-headers',
    async (client) => {
      for (const tool of await client.listAllTools()) await client.callTool(tool.name, { region: 'eu' });
    },
  ],
  [
    'json-schema-ref-no-deref',
    async (client) => {
      await client.listAllTools();
    },
  ],
  [
    'json-schema-2020-12-preservation',
    async (client) => {
      const tools = await client.listAllTools();
      const tool = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
      await client.callTool('json_schema_echo', { schema: tool.inputSchema });
    },
  ],
];

const [, run, extra] = scenarios.find(([name]) => name === scenario) ?? [];
if (run === undefined) {
  console.error(`no client for scenario ${JSON.stringify(scenario)}`);
  process.exit(1);
}
const client = await connect(url, { ...options, ...extra });
try {
  await run(client);
} finally {
  await client.close();
}
