/**
 * The most frequent and shortest utterances in languages without a pack: what a listener murmurs while the agent speaks, and the answers to
 * most questions. With these, agents are neither interrupted by the former nor slow after the latter.
 */
import { expressions } from "../turn-phrases.ts";

export interface ShortPhrases {
  /** Said to agree or to show attention. */
  readonly yes: readonly string[];
  /** Answers that are not murmurs: refusals and thanks. */
  readonly other: readonly string[];
  readonly greetings: readonly string[];
}

/** Spoken, or written by recognisers, in most languages; and in English, if only English is recognised. */
export const international: ShortPhrases & { readonly hesitations: readonly string[] } = {
  yes: expressions("mhm|mhmm|mm|mmm|mm-hmm|uh-huh|uh huh|aha|ah|oh|hm|hmm|ok|okay|yes|yeah|right"),
  other: expressions("no|thanks|thank you|stop"),
  greetings: expressions("hello|hi|hallo"),
  hesitations: expressions("hm|hmm|uh|uhm|ehm|eh|äh|ähm|öh|euh"),
};

export const shortPhrases: Readonly<Record<string, ShortPhrases>> = {
  ar: of("نعم|أجل|طيب|حسنا|حسناً|تمام|صحيح|أكيد", "لا|لا شكرا|شكرا|شكراً", "مرحبا|السلام عليكم|أهلا|ألو"),
  cs: of("ano|jo|dobře|jasně|přesně|rozumím", "ne|děkuji|ne děkuji|díky", "dobrý den|haló|ahoj"),
  da: of("ja|jo|okay|fint|præcis|nemlig|jeg forstår", "nej|tak|nej tak|ja tak", "hej|goddag|hallo"),
  el: of("ναι|εντάξει|μάλιστα|ωραία|ακριβώς|κατάλαβα", "όχι|ευχαριστώ|όχι ευχαριστώ", "γεια|γεια σας|εμπρός|καλημέρα"),
  fi: of("joo|kyllä|niin|okei|hyvä|selvä|aivan", "ei|kiitos|ei kiitos", "hei|moi|haloo|päivää"),
  he: of("כן|בסדר|טוב|נכון|אוקיי|בטח|הבנתי", "לא|תודה|לא תודה", "שלום|היי|הלו"),
  hi: of("हाँ|हां|जी|जी हाँ|जी हां|ठीक है|अच्छा|सही|बिल्कुल", "नहीं|जी नहीं|धन्यवाद|शुक्रिया", "नमस्ते|हैलो|नमस्कार"),
  it: of(
    "sì|si|certo|va bene|d'accordo|bene|esatto|capito|ho capito|già|giusto|perfetto",
    "no|grazie|no grazie|sì grazie",
    "pronto|ciao|buongiorno|buonasera|salve",
  ),
  ja: of(
    "はい|ええ|うん|そうです|そうですね|なるほど|わかりました|分かりました|へえ|大丈夫です|お願いします",
    "いいえ|いえ|違います|ありがとうございます",
    "もしもし|こんにちは|おはようございます",
  ),
  ko: of(
    "네|예|응|아|네네|알겠습니다|그렇군요|맞아요|맞습니다|좋아요",
    "아니요|아니오|괜찮아요|감사합니다",
    "여보세요|안녕하세요",
  ),
  nb: of("ja|jo|greit|fint|nettopp|akkurat|jeg forstår", "nei|takk|nei takk|ja takk", "hei|god dag|hallo"),
  nl: of(
    "ja|jawel|oké|goed|prima|precies|klopt|ik snap het|ik begrijp het",
    "nee|dank u|nee dank u|bedankt|ja graag",
    "hallo|goedemorgen|goedemiddag|goedenavond",
  ),
  pl: of(
    "tak|no tak|dobrze|jasne|rozumiem|oczywiście|zgadza się|dokładnie",
    "nie|dziękuję|nie dziękuję",
    "halo|dzień dobry|cześć",
  ),
  pt: of(
    "sim|certo|está bem|tá|tá bem|tá bom|está bom|entendi|percebo|claro|exato|exatamente|perfeito|pois|pois é|isso|é isso",
    "não|não obrigado|não obrigada|obrigado|obrigada",
    "olá|alô|oi|bom dia|boa tarde|boa noite",
  ),
  ru: of(
    "да|ага|угу|хорошо|ладно|понятно|понял|поняла|верно|конечно|точно",
    "нет|спасибо|нет спасибо",
    "алло|здравствуйте|добрый день|привет",
  ),
  sv: of("ja|jo|japp|okej|bra|precis|just det|jag förstår", "nej|tack|nej tack|ja tack", "hej|god dag|hallå"),
  tr: of(
    "evet|tamam|peki|olur|doğru|anladım|tabii|tabi|aynen",
    "hayır|yok|teşekkürler|teşekkür ederim",
    "merhaba|alo|günaydın",
  ),
  uk: of(
    "так|ага|угу|добре|гаразд|зрозуміло|зрозумів|зрозуміла|звичайно",
    "ні|дякую|ні дякую",
    "алло|добрий день|вітаю",
  ),
  vi: of("vâng|dạ|ừ|được|đúng|đúng rồi|đồng ý|tôi hiểu", "không|cảm ơn|không cảm ơn", "a lô|xin chào|chào"),
  zh: of(
    "嗯|嗯嗯|是|是的|好|好的|对|對|对的|對的|行|可以|哦|明白|知道了|没错|沒錯",
    "不|不是|没有|沒有|不用|不用了|谢谢|謝謝",
    "喂|你好|您好",
  ),
};

function of(yes: string, other: string, greetings: string): ShortPhrases {
  return { yes: expressions(yes), other: expressions(other), greetings: expressions(greetings) };
}
