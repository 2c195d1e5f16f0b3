import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import type { ShortHost } from '@/lib/domains/short-host'
import type { SentForm } from '@/lib/forms/sent'
import { KEYLESS, type MovedFrom, ONE_PLACE } from '@/lib/movers/sources'
import { DomainSelect } from './plain-select'

interface Props {
  from: MovedFrom
  hosts: readonly ShortHost[]
  sent: SentForm | null
}

/** Where the API of another service is, and what lets us in. */
export function LiveForm({ from, hosts, sent }: Props) {
  const t = useTranslations('dashboard.import')
  return (
    <Form name="import-live" aria-label={t('title')} className="space-y-5">
      {sent?.failure && <FailureMessage>{sent.failure}</FailureMessage>}
      <TextField
        {...addressInput}
        label={t(KEYLESS.includes(from) ? 'addressOfFile' : 'address')}
        name="address"
        defaultValue={sent?.values.address}
        error={sent?.errors.address}
        placeholder={KEYLESS.includes(from) ? 'https://example.com/sitemap.xml' : 'https://old.example.com'}
        hint={ONE_PLACE.includes(from) ? t('addressOptional') : undefined}
      />
      {!KEYLESS.includes(from) && (
        <TextField
          label={from === 'yourls' ? t('signature') : t('key')}
          name="key"
          type="password"
          autoComplete="off"
          error={sent?.errors.key}
          hint={t('keyHint')}
        />
      )}
      <DomainSelect hosts={hosts} chosen={sent?.values.domain} />
      <Button type="submit" look="primary">
        {t('check')}
      </Button>
    </Form>
  )
}
