import type { Stats } from '@/lib/stats/schemas'

/** Clicks of people: what the breakdowns count, and their shares are of. */
export const peopleOf = ({ totals }: Pick<Stats, 'totals'>) => Math.max(0, totals.clicks - totals.bots - totals.previews)
