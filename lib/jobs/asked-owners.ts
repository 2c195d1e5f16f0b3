import { broughtBy } from './brought'
import type { JobView } from './schemas'

/** Owners whose accounts are asked for before an import starts: only admins are asked. */
export const askedOwners = ({ state, counts, owners = [] }: JobView) =>
  state === 'checked' && broughtBy(counts) > 0 ? owners.filter(({ account }) => account !== undefined) : []
