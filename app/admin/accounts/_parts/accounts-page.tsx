'use client'

import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { PageHead } from '@/app/_ui/base/page-head'
import { Tabs } from '@/app/_ui/base/tabs'
import { showQuery, useAddressQuery } from '@/app/_ui/data/address'
import { AccountsTab } from './accounts-tab'
import { InvitationsTab } from './invitations-tab'
import { InviteDialog } from './invite-dialog'

const TABS = ['accounts', 'invitations'] as const

/** Who has an account here, and who was asked to make one. */
export function AccountsPage() {
  const t = useTranslations('admin')
  const params = new URLSearchParams(useAddressQuery())
  const tab = TABS.find((known) => known === params.get('tab')) ?? 'accounts'
  const [inviting, setInviting] = useState(false)
  const [round, setRound] = useState(0)
  const show = (wanted: (typeof TABS)[number]) => showQuery(wanted === 'accounts' ? '' : `tab=${wanted}`)
  return (
    <>
      <PageHead title={t('page.accounts')}>
        <Button look="primary" onClick={() => setInviting(true)}>
          <UserPlus aria-hidden="true" className="-ml-1 size-[18px]" />
          {t('accounts.invite')}
        </Button>
      </PageHead>
      <Tabs
        label={t('page.accounts')}
        value={tab}
        onChange={show}
        tabs={[
          { value: 'accounts', label: t('accounts.tab.accounts'), content: <AccountsTab /> },
          { value: 'invitations', label: t('accounts.tab.invitations'), content: <InvitationsTab key={round} /> },
        ]}
      />
      {inviting && <InviteDialog onCreated={() => setRound(round + 1)} onClose={() => setInviting(false)} />}
    </>
  )
}
