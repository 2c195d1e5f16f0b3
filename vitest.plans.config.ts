import { mergeConfig } from 'vitest/config'
import config from './vitest.config'

const { include: _include, ...test } = config.test ?? {}

/** The check of what the other tests asked of the database; it needs what they noted, and so runs after them. */
export default mergeConfig({ ...config, test }, { test: { include: ['lib/db/plans.check.ts'] } })
