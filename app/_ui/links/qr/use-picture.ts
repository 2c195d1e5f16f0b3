import { useEffect, useMemo, useState } from 'react'
import { loadLogo, type QrPicture, qrPicture, siteColor } from '@/app/_ui/data/qr'
import { type KeptStyle, useKeptStyle } from '@/app/_ui/data/qr-style'
import type { QrStyle } from '@/lib/qr/style'

/** A style with everything that it takes to draw. */
export interface StyleControl {
  kept: KeptStyle
  /** The same with colors that were never chosen. */
  style: QrStyle
  /** A `data:` URL; null while there is none. */
  logo: string | null
  /** Why the logo could not be had. */
  failure: string | null
  /** Nobody could see the code. */
  isInvisible: boolean
  change: (changes: Partial<KeptStyle>) => void
  /** The logo was uploaded or deleted. */
  reload: () => void
}

/**
 * How codes are drawn, as they were last.
 * @param owned there is an account, which may have a logo of its own
 */
export function useStyle(owned: boolean): StyleControl {
  const [kept, change] = useKeptStyle()
  const [color] = useState(siteColor)
  const choice = kept.logo === 'own' && !owned ? 'none' : kept.logo
  const { logo, failure, reload } = useLogo(choice)
  const style: QrStyle = {
    ...{ background: kept.background, margin: kept.margin, level: kept.level },
    foreground: kept.foreground ?? color,
    // Until there is one, the code is whole.
    logo: logo === null ? 'none' : choice,
  }
  return {
    kept: { ...kept, logo: choice },
    style,
    logo,
    failure,
    isInvisible: style.foreground === (style.background ?? ''),
    change,
    reload,
  }
}

function useLogo(choice: KeptStyle['logo']) {
  const [turn, setTurn] = useState(0)
  const [found, setFound] = useState<{ of: string; url: string | null; failure: string | null } | null>(null)
  const of = `${choice} ${turn}`
  useEffect(() => {
    if (choice === 'none') return
    let current = true
    void loadLogo(choice).then((result) => {
      if (!current) return
      if (result.ok) return setFound({ of, url: result.value, failure: null })
      const { kind, message } = result.failure
      // None was uploaded yet: there is nothing to say.
      setFound({ of, url: null, failure: kind === 'gone' ? null : message })
    })
    return () => {
      current = false
    }
  }, [choice, of])
  const isCurrent = choice !== 'none' && found?.of === of
  return {
    logo: isCurrent ? found.url : null,
    failure: isCurrent ? found.failure : null,
    reload: () => setTurn((before) => before + 1),
  }
}

/** The code of a text. null: it is too long for the style. */
export function usePicture(text: string, { style, logo }: StyleControl): QrPicture | null {
  const { foreground, background, margin, level, logo: choice } = style
  return useMemo(
    () => qrPicture(text, { foreground, background, margin, level, logo: choice }, logo),
    [text, foreground, background, margin, level, choice, logo],
  )
}
