import type { ReactNode } from 'react'
import { ProvideMessages } from '@/app/_server/messages'
import { ProofAsker } from '@/app/_ui/account/proof-asker'
import { SubNav } from '@/app/_ui/base/sub-nav'
import { NeedsScripts } from '@/app/_ui/base/without-scripts'
import { ServerDataProvider } from '@/app/_ui/data/server-data'

interface Props {
  label: string
  pages: readonly { href: string; label: string }[]
  /** What is done here can be done by the API too. */
  api?: boolean
  children: ReactNode
}

/** Around the pages of one part of the app, which read data of the server. */
export function SectionLayout({ label, pages, api, children }: Props) {
  return (
    <div className="pt-2">
      <SubNav label={label} links={pages} />
      {/* A page that works without says so by this. */}
      <div className="[:root:has([data-without-scripts])_&]:hidden">
        <NeedsScripts api={api} />
      </div>
      <ServerDataProvider>
        <ProvideMessages of={['proof']}>
          {children}
          <ProofAsker />
        </ProvideMessages>
      </ServerDataProvider>
    </div>
  )
}
