/** The client of Terse for scripts: `import { createClient } from 'terse'`. */

export { addressOf, type LinkAddress } from './address.js'
export {
  type Account,
  type ClientOptions,
  type CreateLink,
  createClient,
  type ExportFormat,
  type IfMatch,
  type ImportFrom,
  type ImportOptions,
  type Job,
  type JobItem,
  type Link,
  type ListLinks,
  type MoveLinks,
  type ScopeStats,
  type ScopeStatsQuery,
  type Stats,
  type StatsQuery,
  type Terse,
  type UpdateLink,
  type Versioned,
} from './client.js'
export type { components, operations, paths } from './generated/api.js'
export { type OfflineCode, OfflineError, type OfflineLink, offlineCode } from './offline.js'
export { type FieldProblem, TerseError } from './problem.js'
