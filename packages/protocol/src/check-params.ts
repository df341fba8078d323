/** Says what is wrong with parameters, naming the member and its value; undefined where all is right. Allocates nothing then. */
export type ParamsCheck = (params: unknown) => string | undefined;

type Members = { readonly [member: string]: unknown };

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Characters of a wrong string that a message repeats. */
const SHOWN = 80;

const quote = (text: string): string =>
  text.length > SHOWN ? `${JSON.stringify(text.slice(0, SHOWN))}…` : JSON.stringify(text);

/** Objects are named only by their kind: whatever is in them may be large, secret, or without end. */
function show(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

const wrong = (member: string, expected: string, value: unknown): string =>
  `${member} must be ${expected}, not ${show(value)}`;

function str(value: unknown, member: string): string | undefined {
  return typeof value === 'string' ? undefined : wrong(member, 'a string', value);
}

function optionalString(value: unknown, member: string): string | undefined {
  return value === undefined || value === null || typeof value === 'string'
    ? undefined
    : wrong(member, 'a string', value);
}

function optionalBoolean(value: unknown, member: string): string | undefined {
  return value === undefined || value === null || typeof value === 'boolean'
    ? undefined
    : wrong(member, 'a boolean', value);
}

function optionalObject(value: unknown, member: string): string | undefined {
  return value === undefined || value === null || isObject(value) ? undefined : wrong(member, 'an object', value);
}

function optionalStrings(value: unknown, member: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) return wrong(member, 'an array of strings', value);
  for (let i = 0; i < value.length; i++) {
    if (typeof value[i] !== 'string') return wrong(`${member}[${i}]`, 'a string', value[i]);
  }
  return undefined;
}

function optionalStringMap(value: unknown, member: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return wrong(member, 'an object of strings', value);
  for (const key in value) {
    if (typeof value[key] !== 'string') return wrong(`${member}[${quote(key)}]`, 'a string', value[key]);
  }
  return undefined;
}

const notParams = (params: unknown): string => wrong('params', 'an object', params);

function inputResponses(params: Members): string | undefined {
  return (
    optionalObject(params.inputResponses, 'params.inputResponses') ??
    optionalString(params.requestState, 'params.requestState')
  );
}

/** Methods without parameters of their own. */
function noParams(params: unknown): string | undefined {
  return isObject(params) ? undefined : notParams(params);
}

function page(params: unknown): string | undefined {
  return isObject(params) ? optionalString(params.cursor, 'params.cursor') : notParams(params);
}

function callTool(params: unknown): string | undefined {
  if (!isObject(params)) return notParams(params);
  return (
    str(params.name, 'params.name') ?? optionalObject(params.arguments, 'params.arguments') ?? inputResponses(params)
  );
}

function getPrompt(params: unknown): string | undefined {
  if (!isObject(params)) return notParams(params);
  return (
    str(params.name, 'params.name') ?? optionalStringMap(params.arguments, 'params.arguments') ?? inputResponses(params)
  );
}

function readResource(params: unknown): string | undefined {
  if (!isObject(params)) return notParams(params);
  return str(params.uri, 'params.uri') ?? inputResponses(params);
}

function complete(params: unknown): string | undefined {
  if (!isObject(params)) return notParams(params);
  const { ref, argument, context } = params;
  if (!isObject(ref)) return wrong('params.ref', 'an object', ref);
  let problem: string | undefined;
  if (ref.type === 'ref/prompt') problem = str(ref.name, 'params.ref.name');
  else if (ref.type === 'ref/resource') problem = str(ref.uri, 'params.ref.uri');
  else problem = wrong('params.ref.type', '"ref/prompt" or "ref/resource"', ref.type);
  if (problem !== undefined) return problem;
  if (!isObject(argument)) return wrong('params.argument', 'an object', argument);
  problem = str(argument.name, 'params.argument.name') ?? str(argument.value, 'params.argument.value');
  if (problem !== undefined || context === undefined || context === null) return problem;
  if (!isObject(context)) return wrong('params.context', 'an object', context);
  return optionalStringMap(context.arguments, 'params.context.arguments');
}

function listen(params: unknown): string | undefined {
  if (!isObject(params)) return notParams(params);
  const filter = params.notifications;
  if (!isObject(filter)) return wrong('params.notifications', 'an object', filter);
  return (
    optionalBoolean(filter.toolsListChanged, 'params.notifications.toolsListChanged') ??
    optionalBoolean(filter.promptsListChanged, 'params.notifications.promptsListChanged') ??
    optionalBoolean(filter.resourcesListChanged, 'params.notifications.resourcesListChanged') ??
    optionalStrings(filter.resourceSubscriptions, 'params.notifications.resourceSubscriptions') ??
    optionalStrings(filter.taskIds, 'params.notifications.taskIds')
  );
}

function task(params: unknown): string | undefined {
  return isObject(params) ? str(params.taskId, 'params.taskId') : notParams(params);
}

function updateTask(params: unknown): string | undefined {
  if (!isObject(params)) return notParams(params);
  const problem = str(params.taskId, 'params.taskId');
  if (problem !== undefined || isObject(params.inputResponses)) return problem;
  return wrong('params.inputResponses', 'an object', params.inputResponses);
}

function uri(params: unknown): string | undefined {
  return isObject(params) ? str(params.uri, 'params.uri') : notParams(params);
}

function directory(params: unknown): string | undefined {
  return uri(params) ?? page(params);
}

/** The checks of the modern methods, by method. */
export const checks: ReadonlyMap<string, ParamsCheck> = new Map<string, ParamsCheck>([
  ['server/discover', noParams],
  ['tools/list', page],
  ['tools/call', callTool],
  ['prompts/list', page],
  ['prompts/get', getPrompt],
  ['resources/list', page],
  ['resources/templates/list', page],
  ['resources/read', readResource],
  ['completion/complete', complete],
  ['subscriptions/listen', listen],
  ['tasks/get', task],
  ['tasks/update', updateTask],
  ['tasks/cancel', task],
  ['skills/list', page],
  ['skills/get', uri],
  ['resources/directory/read', directory],
]);
