import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { isUsableHash } from '@/lib/tools/password'
import { givenTime } from '@/lib/tools/schema'
import { HOUR } from '@/lib/tools/time'
import { CreateLink } from './schemas'

/** No shortener is older. */
const EARLIEST = Date.UTC(1990, 0, 1)
/** A time without its zone may be ahead by as much: those count as now. */
const AHEAD = 14 * HOUR

/** More clicks than any link has, and what JSON can say exactly. */
const MOST_CLICKS = 1e12

/** What only an import says of a link: what it was where it comes from. */
const brought = {
  publicHistory: z.boolean(),
  /** As an export has it, instead of the password, which is nowhere. */
  passwordHash: z.string().refine(isUsableHash, issue('forms.passwordHash')),
  /** When it was created there. */
  createdAt: givenTime()
    .refine((at) => at.getTime() >= EARLIEST && at.getTime() <= Date.now() + AHEAD, issue('forms.createdAt'))
    .transform((at) => new Date(Math.min(at.getTime(), Date.now()))),
  /** Whose it was there, by the name of that system (./owners.ts). */
  owner: line(254),
  clicksBefore: z.int().min(0).max(MOST_CLICKS),
}

/** A link as an import creates it: what a request can say, and what only an export tells. */
export const ImportLink = CreateLink.omit({ password: true, reuse: true }).extend(z.object(brought).partial().shape)

export type ImportLinkData = z.output<typeof ImportLink>
/** What any way to create links can ask for besides what a request can. */
export type Brought = Pick<ImportLinkData, keyof typeof brought>
