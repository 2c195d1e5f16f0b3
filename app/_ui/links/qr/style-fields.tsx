import { ChevronRight } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Checkbox } from '@/app/_ui/base/checkbox'
import { Field, FieldError, inputClass } from '@/app/_ui/base/field'
import { Select } from '@/app/_ui/base/select'
import { levelOf, warningsOf } from '@/lib/qr/style'
import { LEVELS, LOGOS, MARGIN, WHITE } from '@/lib/qr/values'
import { LogoFields } from './logo-fields'
import type { StyleControl } from './use-picture'

interface Props {
  control: StyleControl
  /** There is an account, which may have a logo of its own. */
  owned: boolean
}

/** How a code looks: in one line, with the choices one step away. */
export function StyleFields({ control, owned }: Props) {
  const t = useTranslations('links.qr')
  const { kept, style, change } = control
  const { background, margin, level } = kept
  // A logo hides a part of the code: with one, lower levels have no effect.
  const isTooLow = (value: typeof level) => kept.logo !== 'none' && levelOf({ ...style, level: value }) !== value
  const margins = Array.from({ length: MARGIN.most + 1 }, (_, count) => String(count))
  const said = [
    style.foreground,
    background === null ? t('style.transparent') : background !== WHITE && background,
    margin !== MARGIN.wanted && t('style.marginOf', { count: margin }),
    t('style.levelOf', { level: levelOf(style) }),
    kept.logo !== 'none' && t(`logos.${kept.logo}`),
  ]
  return (
    <div>
      <details className="group/style rounded-control border border-line">
        <summary className="flex min-h-11 list-none items-center gap-2 rounded-control px-3 text-sm hover:bg-bg [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 text-muted transition-transform group-open/style:rotate-90"
          />
          <span className="shrink-0 font-medium">{t('style.label')}</span>
          <span className="ml-auto min-w-0 truncate pl-3 text-muted">{said.filter(Boolean).join(' · ')}</span>
        </summary>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-3 min-[400px]:grid-cols-2">
          <ColorField label={t('style.foreground')} value={style.foreground} onChange={(foreground) => change({ foreground })} />
          <div>
            <ColorField
              label={t('style.background')}
              value={background ?? WHITE}
              disabled={background === null}
              onChange={(color) => change({ background: color })}
            />
            <Checkbox
              label={t('style.transparent')}
              checked={background === null}
              onChange={(on) => change({ background: on ? null : WHITE })}
            />
          </div>
          <Select
            label={t('style.level')}
            labelShown
            value={levelOf(style)}
            options={LEVELS.filter((value) => !isTooLow(value)).map((value) => ({ value, label: t(`level.${value}`) }))}
            onChange={(value) => change({ level: value })}
          />
          <Select
            label={t('style.margin')}
            labelShown
            value={String(margin)}
            options={margins.map((value) => ({ value, label: t('style.modules', { count: Number(value) }) }))}
            onChange={(value) => change({ margin: Number(value) })}
          />
          <div className="min-[400px]:col-span-2">
            <Select
              label={t('style.logo')}
              labelShown
              value={kept.logo}
              options={LOGOS.filter((logo) => owned || logo !== 'own').map((value) => ({ value, label: t(`logos.${value}`) }))}
              onChange={(logo) => change({ logo })}
            />
            {kept.logo === 'own' && <LogoFields control={control} />}
            {control.failure && <FieldError id="qr-logo-failure">{control.failure}</FieldError>}
          </div>
        </div>
      </details>
    </div>
  )
}

interface ColorProps {
  label: string
  value: string
  disabled?: boolean
  onChange: (color: string) => void
}

function ColorField({ label, value, disabled, onChange }: ColorProps) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="color"
          value={value}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          className={`${inputClass} cursor-pointer p-1`}
        />
      )}
    </Field>
  )
}

/** What is said of a style before it is printed; there from the beginning, so that it is read out when it changes. */
export function Warnings({ control: { style, isInvisible } }: Pick<Props, 'control'>) {
  const t = useTranslations('links.qr')
  const warnings = warningsOf(style)
  return (
    <div role="status">
      {isInvisible ? (
        <p className="mt-3 rounded-control bg-danger-soft px-3 py-2 text-sm text-danger">{t('invisible')}</p>
      ) : (
        warnings.length > 0 && (
          <ul className="mt-3 space-y-1 rounded-control bg-warn-soft px-3 py-2 text-sm text-warn">
            {warnings.map((warning) => (
              <li key={warning}>{t(`warning.${warning}`)}</li>
            ))}
          </ul>
        )
      )}
    </div>
  )
}
