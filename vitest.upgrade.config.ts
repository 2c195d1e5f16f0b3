import { mergeConfig } from 'vitest/config'
import config from './vitest.config'

const { include: _include, ...test } = config.test ?? {}

/** The previous release beside this version; it needs both built (scripts/lib/previous-release.mjs). */
export default mergeConfig({ ...config, test }, { test: { include: ['tests/upgrade.check.ts'] } })
