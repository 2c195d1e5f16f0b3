import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { KeyCap } from '@/app/_ui/base/key-cap'
import { areKeysOn, MOD, turnKeys } from '@/app/_ui/base/keys'
import { SwitchField } from '@/app/_ui/base/switch-field'
import { toast } from '@/app/_ui/base/toast'
import { updatePreferences } from '@/app/_ui/data/account'

const ANYWHERE = { palette: `${MOD} K`, create: 'C', search: '/', help: '?' } as const
const IN_LIST = { filter: 'F', views: 'V', next: 'J', previous: 'K', open: 'Enter', edit: 'E', qr: 'Q', select: 'X' } as const

/** All single keys, and the way to turn them off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('commands.keys')
  const [on, setOn] = useState(areKeysOn)
  const turn = (wanted: boolean) => {
    turnKeys(wanted)
    setOn(wanted)
    void updatePreferences({ singleKeys: wanted }).then((result) => result.ok || toast(result.failure.message))
  }
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <div className="space-y-6">
        <KeyList
          title={t('anywhere')}
          keys={Object.entries(ANYWHERE).map(([name, key]) => [t(`do.${name as keyof typeof ANYWHERE}`), key])}
        />
        <KeyList
          title={t('inList')}
          keys={Object.entries(IN_LIST).map(([name, key]) => [t(`do.${name as keyof typeof IN_LIST}`), key])}
        />
        <SwitchField label={t('on')} hint={t('onHint')} on={on} onChange={turn} />
      </div>
    </Dialog>
  )
}

function KeyList({ title, keys }: { title: string; keys: [string, string][] }) {
  return (
    <section aria-label={title}>
      <h3 className="text-[13px] font-medium text-muted">{title}</h3>
      <dl className="mt-1 divide-y divide-line">
        {keys.map(([action, key]) => (
          <div key={key} className="flex min-h-10 items-center justify-between gap-4 py-1.5">
            <dt className="text-sm">{action}</dt>
            <dd>
              <KeyCap>{key}</KeyCap>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
