import { StateSeal } from '../../packages/server/src/input/seal.ts';
import { Reports } from '../../packages/server/src/reports.ts';
import { holds, same, type Target, textOf } from '../target.ts';

const silent = new Reports(
  () => {},
  () => {},
);
const seal = new StateSeal(
  {
    keys: [
      { id: 'a', secret: 'a'.repeat(32) },
      { id: 'b', secret: 'b'.repeat(32) },
    ],
  },
  // Always the same, so that a finding can be found again.
  { clock: () => 1000, random: (bytes) => void bytes.fill(7), reports: silent },
);
const state = { a: [['key', 'print', { action: 'accept' }]], u: 'é' };
const binding = '["alice","tools/call","book",{"city":"Rome"}]';
const genuine = await seal.seal(state, binding);
const others = await Promise.all([
  seal.seal(state, binding.replace('alice', 'bob')),
  seal.seal(state, binding.replace('Rome', 'Oslo')),
  seal.seal(state, binding.replace('tools/call', 'prompts/get')),
]);

/** The same bytes in other spellings: with bits behind the last byte, which a lenient reader passes over. */
const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
  (last) => genuine.slice(0, -1) + last,
);

/** States that come back from a client: only the very one that it was given opens. */
export const target: Target = {
  name: 'seal',
  seeds: [genuine, ...others, ...spellings, genuine.replace('1.a.', '1.b.'), '1.a.', '2.a.AAAA', `${genuine}=`],
  words: ['1.', '.a.', '.b.', '.', 'AAAA', '__proto__', '='],
  async run(input) {
    const text = textOf(input);
    const opened = await seal.open(text, binding);
    if (text === genuine) same('the genuine one', opened, { state });
    else holds('fault' in opened && opened.fault === 'invalid', `a state that was not given opens: ${text}`);
  },
};
