import type { Asked } from '../dialect'
import { textOf } from '../fields'

/** A parameter, wherever it was sent: what a body has comes before the query, as in PHP. */
export const parameter = ({ fields, query }: Pick<Asked, 'fields' | 'query'>, name: string): string | undefined =>
  textOf(fields, name) ?? query.getAll(name).at(-1)
