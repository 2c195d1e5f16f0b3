'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { PageHead } from '@/app/_ui/base/page-head'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { listDomains } from '@/app/_ui/data/admin'
import { useServerData } from '@/app/_ui/data/server-data'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import { AddDomainDialog } from './add-domain-dialog'
import { DomainCard } from './domain-card'

/** The hosts under which links are served. */
export function DomainsPage() {
  const t = useTranslations('admin')
  const { value, failure, reload } = useServerData(['domains'], listDomains)
  const [adding, setAdding] = useState(false)
  return (
    <>
      <PageHead title={t('page.domains')}>
        <Button look="primary" onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" className="-ml-1 size-[18px]" />
          {t('domains.add')}
        </Button>
      </PageHead>
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={reload} />}
      <div className="space-y-4">
        {value?.domains.map((domain) => <DomainCard key={domain.id} domain={domain} onChanged={reload} />) ??
          (!failure && (
            <div role="status" aria-label={t('domains.loading')}>
              <Skeletons count={2} height="h-44" className="space-y-4" />
            </div>
          ))}
      </div>
      {adding && <AddDomainDialog onAdded={reload} onClose={() => setAdding(false)} />}
    </>
  )
}
