'use client'

import { ServerDataProvider } from '@/app/_ui/data/server-data'
import { type ScopeProps, ScopeStats } from './scope-stats'
import { StatsFrame } from './stats-frame'

/** Statistics of all links of the account, or of some. */
export function ScopePage(props: ScopeProps) {
  const { tag, folder } = props.scope
  const query = new URLSearchParams({ ...(tag && { tag }), ...(folder && { folder }) }).toString()
  return (
    <StatsFrame back={query === '' ? '/dashboard' : `/dashboard?${query}`} ready={props.first !== null}>
      <ServerDataProvider key={JSON.stringify(props.scope)}>
        <ScopeStats {...props} />
      </ServerDataProvider>
    </StatsFrame>
  )
}
