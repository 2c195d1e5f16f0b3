import { Badge, type Tone } from '@/app/_ui/base/badge'
import type { RecentLink } from '@/app/_ui/data/recents'

type Shown = Pick<RecentLink, 'state' | 'expiresAt' | 'startsAt' | 'hasPassword'> & {
  lost?: RecentLink['lost']
  manageToken?: string | null | undefined
  listed?: boolean
  shared?: boolean
}

/** What is out of the ordinary about a link, in a word each; a plain active link has none. */
export function Badges({ link }: { link: Shown }) {
  return badgesOf(link, Date.now()).map(({ text, tone }) => (
    <Badge key={text} tone={tone}>
      {text}
    </Badge>
  ))
}

function badgesOf(link: Shown, now: number): { text: string; tone: Tone }[] {
  const badges: { text: string; tone: Tone }[] = []
  if (link.lost === 'gone') return [{ text: 'Deleted', tone: 'danger' }]
  if (link.lost === 'refused' && link.manageToken === null) return [{ text: 'Signed out', tone: 'neutral' }]
  if (link.lost === 'refused') return [{ text: 'Key refused', tone: 'danger' }]
  if (link.state === 'deleted') return [{ text: 'Deleted', tone: 'neutral' }]
  if (link.state === 'banned') badges.push({ text: 'Banned', tone: 'danger' })
  if (link.state === 'disabled') badges.push({ text: 'Disabled', tone: 'warn' })
  // The times are looked at again: the state is as of when the server was last asked.
  if (link.state === 'expired' || passed(link.expiresAt, now)) badges.push({ text: 'Expired', tone: 'warn' })
  else if (link.startsAt && !passed(link.startsAt, now)) badges.push({ text: 'Scheduled', tone: 'neutral' })
  if (link.hasPassword) badges.push({ text: 'Password', tone: 'neutral' })
  if (link.shared) badges.push({ text: 'Shared', tone: 'neutral' })
  if (link.listed) badges.push({ text: 'Public', tone: 'neutral' })
  return badges
}

const passed = (iso: string | null, now: number) => iso !== null && Date.parse(iso) <= now
