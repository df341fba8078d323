/** The newest revision: the stateless one, and the only one that code above the wires and legacy adapters knows. */
export const MODERN = '2026-07-28';

/** Revisions with per-request metadata, newest first. */
export const modernRevisions = Object.freeze([MODERN] as const);

/** Revisions that open with `initialize`, newest first. */
export const legacyRevisions = Object.freeze(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const);

/** A revision with per-request metadata. */
export type ModernRevision = (typeof modernRevisions)[number];
/** A revision that opens with `initialize`. */
export type LegacyRevision = (typeof legacyRevisions)[number];

/** A protocol revision this toolkit speaks (basic/versioning). */
export type Revision = ModernRevision | LegacyRevision;

/** Every revision this toolkit speaks, newest first. */
export const revisions: readonly Revision[] = Object.freeze([...modernRevisions, ...legacyRevisions]);

/** Whether a version string names a revision of the modern era that this toolkit speaks. */
export function isModern(version: string): version is ModernRevision {
  return version === MODERN;
}

/** Whether a version string names a revision that opens with `initialize` and that this toolkit knows. */
export function isLegacy(version: string): version is LegacyRevision {
  return (legacyRevisions as readonly string[]).includes(version);
}
