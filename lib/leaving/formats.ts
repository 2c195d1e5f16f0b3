import { apache } from './apache'
import { hostRedirects } from './host-redirects'
import { nginx } from './nginx'
import { nodeSet } from './node-set'
import { s3Objects, s3Rules } from './s3'
import type { SetFormat } from './set-writer'
import type { SetName } from './values'

/** A new format is one entry here, and its name in ./values.ts. */
const FORMATS: Record<SetName, SetFormat> = {
  nginx,
  apache,
  redirects: hostRedirects,
  's3-rules': s3Rules,
  's3-objects': s3Objects,
  node: nodeSet,
}

export const formatOf = (name: SetName): SetFormat => FORMATS[name]
