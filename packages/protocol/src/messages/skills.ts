import type {
  CacheableResult,
  MetaObject,
  PaginatedRequestParams,
  PaginatedResult,
  RequestMeta,
  ResultMeta,
} from './base.ts';
import type { Resource } from './content.ts';

/** Identifier of the Skills extension in `extensions` of the capabilities. */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** A file of a skill. */
export interface SkillResource {
  uri: string;
  /** `sha256:` and 64 lower-case hexadecimal digits, of the raw bytes. */
  digest: string;
  /** Bytes. */
  size: number;
}

/** A skill: a directory with a `SKILL.md` at its root (Skills extension, "Skill Entries"). */
export interface Skill {
  /** Of its `SKILL.md`. */
  uri: string;
  /** That of `SKILL.md`, word for word. */
  frontmatter: { name: string; description: string; [field: string]: unknown };
  /** Every file, or `dynamic` where digests cannot be stable. */
  resources: SkillResource[] | 'dynamic';
  _meta?: MetaObject | undefined;
}

/** A page of the skills; a server need not list all it has. */
export interface ListSkillsResult extends PaginatedResult, CacheableResult {
  resultType?: 'complete';
  _meta?: ResultMeta;
  skills: Skill[];
}

/** Parameters of `skills/get`. */
export interface GetSkillRequestParams {
  _meta?: RequestMeta;
  /** Of the skill's `SKILL.md`. */
  uri: string;
}

/** One skill. */
export interface GetSkillResult extends CacheableResult {
  resultType?: 'complete';
  skill: Skill;
}

/** Parameters of `resources/directory/read`, for servers whose extension settings say `directoryRead`. */
export interface ReadResourceDirectoryRequestParams extends PaginatedRequestParams {
  uri: string;
}

/** A page of what is directly in a directory. */
export interface ReadResourceDirectoryResult extends PaginatedResult, CacheableResult {
  resultType?: 'complete';
  _meta?: ResultMeta;
  resources: Resource[];
}
