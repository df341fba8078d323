type Json = unknown;
type Container = { [member: string]: Json } | Json[];

const interesting: readonly (() => Json)[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    -1,
    1,
    1.5,
    2 ** 53,
    1e308,
    '',
    'x',
    '__proto__',
    'toString',
    '\u0000',
    '\ud800',
    '1',
    'é',
  ].map((value) => () => value),
  () => ({}),
  () => [],
  () => 'x'.repeat(2000),
  () => nested(60, (inner) => [inner]),
  () => nested(60, (inner) => ({ a: inner })),
  () => Array.from({ length: 300 }, (_, index) => index),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
];

function nested(depth: number, wrap: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

/** Every object and array in a value, itself included. */
function containers(value: Json, into: Container[] = []): Container[] {
  if (typeof value !== 'object' || value === null) return into;
  into.push(value as Container);
  for (const inner of Object.values(value)) containers(inner, into);
  return into;
}

/** Changes JSON so that it stays JSON: what a parser of bytes would refuse at once never gets to what reads it. */
export function mutateJson(random: () => number, text: string, other: string): string | undefined {
  let value: Json;
  let donor: Json;
  try {
    value = JSON.parse(text);
    donor = JSON.parse(other);
  } catch {
    return undefined;
  }
  const below = (limit: number): number => Math.floor(random() * limit);
  const any = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const given = (): Json => {
    const parts = containers(donor);
    if (parts.length === 0 || random() < 0.5) return any(interesting)();
    const values = Object.values(any(parts));
    return values.length === 0 ? any(interesting)() : structuredClone(any(values));
  };
  const parts = containers(value);
  if (parts.length === 0) return JSON.stringify(given());
  const part = any(parts);
  const names = Object.keys(part);
  const name = names.length === 0 ? '0' : any(names);
  const put = (key: string, what: Json): void => {
    // Plain assignment would set the prototype.
    Object.defineProperty(part, key, { value: what, enumerable: true, configurable: true, writable: true });
  };
  switch (below(6)) {
    case 0:
      put(name, given());
      break;
    case 1:
      if (Array.isArray(part)) part.splice(below(part.length + 1), 1);
      else delete part[name];
      break;
    case 2: {
      const donors = containers(donor).flatMap((each) => (Array.isArray(each) ? [] : Object.keys(each)));
      if (Array.isArray(part)) part.splice(below(part.length + 1), 0, given());
      else put(donors.length > 0 && random() < 0.7 ? any(donors) : any(['__proto__', 'toString', '', 'x']), given());
      break;
    }
    case 3:
      // A member under another name.
      if (!Array.isArray(part) && names.length > 0) {
        const moved = part[name];
        delete part[name];
        put(any([...names, '__proto__', 'constructor', `${name}x`]), moved);
      }
      break;
    case 4:
      put(name, [(part as { [member: string]: Json })[name]]);
      break;
    default: {
      const one = any(names.length > 0 ? names : ['0']);
      const members = part as { [member: string]: Json };
      const [first, second] = [members[name], members[one]];
      put(name, second);
      put(one, first);
    }
  }
  return JSON.stringify(value);
}
