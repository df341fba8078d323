import { expect, test } from 'vitest';
import { isLegacy, isModern, legacyRevisions, MODERN, modernRevisions, revisions } from './revisions.ts';

test('revisions are listed newest first', () => {
  expect(revisions).toEqual([...revisions].sort().reverse());
  expect(revisions).toEqual([...modernRevisions, ...legacyRevisions]);
  expect(Object.isFrozen(revisions) && Object.isFrozen(modernRevisions) && Object.isFrozen(legacyRevisions)).toBe(true);
});

test('[VER] only a revision that is spoken here is modern, whatever its date', () => {
  expect(isModern(MODERN)).toBe(true);
  for (const version of [
    ...legacyRevisions,
    '2026-07-29',
    '2099-01-01',
    'DRAFT-2026-v1',
    '',
    ' 2026-07-28',
    '2026-7-28',
  ]) {
    expect(isModern(version)).toBe(false);
  }
});

test('a revision is of one era, and of none where it is not known', () => {
  for (const version of revisions) expect(isLegacy(version)).toBe(!isModern(version));
  for (const version of ['2025-11-26', '2026-07-29', '', 'none']) {
    expect([isLegacy(version), isModern(version)]).toEqual([false, false]);
  }
});
