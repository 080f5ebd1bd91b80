/** The greetings of a new project's agents. The template has the English ones; other languages replace them. */

export interface Greetings {
  readonly desk: string;
  readonly deskAgain: string;
  readonly orders: string;
  readonly ordersAgain: string;
  /** The beginning of `desk` as the caller hears it, for the dialogue. */
  readonly opening: string;
}

/** Keyed by the code of the language pack. */
export const greetings: Readonly<Record<string, Greetings>> & { readonly en: Greetings } = {
  en: {
    desk: "This is {{ institution_name }}. Would you like our opening hours, or do you have a question about an order?",
    deskAgain: "You are back at the front desk.",
    orders: "This is the orders team.",
    ordersAgain: "You are back with the orders team.",
    opening: "This is Project Title",
  },
  de: {
    desk: "Hier ist {{ institution_name }}. Möchten Sie unsere Öffnungszeiten wissen, oder haben Sie eine Frage zu einer Bestellung?",
    deskAgain: "Sie sprechen wieder mit dem Empfang.",
    orders: "Hier ist das Team für Bestellungen.",
    ordersAgain: "Sie sprechen wieder mit dem Team für Bestellungen.",
    opening: "Hier ist Project Title",
  },
  fr: {
    desk: "Ici {{ institution_name }}. Souhaitez-vous connaître nos horaires, ou avez-vous une question sur une commande ?",
    deskAgain: "Vous êtes de nouveau à l'accueil.",
    orders: "Ici le service des commandes.",
    ordersAgain: "Vous êtes de nouveau au service des commandes.",
    opening: "Ici Project Title",
  },
  es: {
    desk: "Le atiende {{ institution_name }}. ¿Desea conocer nuestro horario, o tiene una pregunta sobre un pedido?",
    deskAgain: "Ha vuelto a recepción.",
    orders: "Le atiende el equipo de pedidos.",
    ordersAgain: "Ha vuelto al equipo de pedidos.",
    opening: "Le atiende Project Title",
  },
};
