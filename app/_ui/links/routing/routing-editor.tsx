'use client'

import { Plus } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FieldError } from '@/app/_ui/base/field'
import { Select } from '@/app/_ui/base/select'
import type { FieldErrors } from '@/lib/forms/fields'
import { APP_SYSTEMS, appRule, countryRule, hasAppRule, newRule, swapped, withItem, withMode } from '@/lib/forms/routing-edits'
import { PATH_MODES } from '@/lib/routing/path'
import { QUERY_MODES } from '@/lib/routing/query'
import type { RoutingFields } from '@/lib/routing/routing'
import { ClickIdField } from './click-id-field'
import { Rehearsal, type Rehearse } from './rehearsal'
import { RuleCard } from './rule-card'
import { SplitEditor } from './split-editor'

export interface EditorProps {
  routing: RoutingFields
  errors: FieldErrors
  rehearse: Rehearse | undefined
  onChange: (routing: RoutingFields) => void
}

/** Rules in their order, the split of all others, what becomes of the visitor’s query and path, what destinations are told. */
export function RoutingEditor({ routing, errors, rehearse, onChange }: EditorProps) {
  const t = useTranslations('links.routing')
  const { rules = [], split, query, path } = routing
  // Then its first error is said of the whole too (lib/forms/failure.ts), also once it was put right.
  const isSaidAtPart = Object.keys(errors).some((path) => path.startsWith('routing.'))
  const setRules = (changed: typeof rules) => onChange({ ...routing, rules: changed })
  // Written by the page (app/layout.tsx). This editor is never there without scripts.
  const apps = document.documentElement.dataset.apps
    ?.split(' ')
    .map((scheme) => `${scheme}:`)
    .join(', ')
  return (
    <div className="mt-4 space-y-4">
      {rules.length > 0 && (
        <ol className="space-y-3">
          {rules.map((rule, i) => (
            <RuleCard
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule is known by its place alone
              key={i}
              place={i}
              of={rules.length}
              rule={rule}
              errors={errors}
              onChange={(changed) => setRules(withItem(rules, i, changed))}
              onUp={() => setRules(swapped(rules, i - 1))}
              onDown={() => setRules(swapped(rules, i))}
            />
          ))}
        </ol>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setRules([...rules, newRule()])}>
          <Plus aria-hidden="true" className="size-4" />
          {t('addRule')}
        </Button>
        <Button size="small" onClick={() => setRules([...rules, countryRule()])}>
          <Plus aria-hidden="true" className="size-4" />
          {t('addCountry')}
        </Button>
        {APP_SYSTEMS.filter((os) => !hasAppRule(rules, os)).map((os) => (
          <Button key={os} size="small" onClick={() => setRules([...rules, appRule(os)])}>
            <Plus aria-hidden="true" className="size-4" />
            {t(`addApp.${os}`)}
          </Button>
        ))}
      </div>
      {apps !== undefined && <p className="text-[13px] text-muted">{t('schemes', { schemes: apps })}</p>}
      <SplitEditor
        split={split}
        errors={errors}
        onChange={(changed) => {
          const { split: _, ...rest } = routing
          onChange(changed ? { ...rest, split: changed } : rest)
        }}
      />
      <Select
        label={t('queryLabel')}
        labelShown
        value={query ?? 'drop'}
        options={(['drop', ...QUERY_MODES] as const).map((value) => ({ value, label: t(`queryMode.${value}`) }))}
        onChange={(mode) => onChange(withMode(routing, 'query', mode))}
      />
      <Select
        label={t('pathLabel')}
        labelShown
        value={path ?? 'drop'}
        options={(['drop', ...PATH_MODES] as const).map((value) => ({ value, label: t(`pathMode.${value}`) }))}
        onChange={(mode) => onChange(withMode(routing, 'path', mode))}
      />
      <ClickIdField routing={routing} error={errors['routing.clickId.parameter']} onChange={onChange} />
      {rehearse && rules.length > 0 && <Rehearsal routing={routing} rehearse={rehearse} />}
      {errors.routing && !isSaidAtPart && <FieldError id="routing-error">{errors.routing}</FieldError>}
    </div>
  )
}
