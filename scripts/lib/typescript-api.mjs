/** TypeScript as a library, which version 7 is not: what stands for `typescript` where types are generated (./cli.mjs). */

import common from '@ts-morph/common'

export default common.ts
