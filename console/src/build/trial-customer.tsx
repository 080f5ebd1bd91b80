export interface NamedCustomer {
  readonly id: string;
  readonly name: string;
}

interface TrialCustomerProps {
  readonly customer: NamedCustomer | undefined;
  /** Null for nobody, undefined for the usual one. */
  readonly profileId: string | null | undefined;
  readonly onChange: (profileId: string | null | undefined) => void;
}

/** Chooses the customer for whom the tool acts. */
export function TrialCustomer({ customer, profileId, onChange }: TrialCustomerProps) {
  const isMade = customer !== undefined && profileId === customer.id;
  const kind = profileId === undefined ? "usual" : profileId === null ? "nobody" : isMade ? "made" : "other";
  const choose = (chosen: string): void => {
    if (chosen === "usual") onChange(undefined);
    else if (chosen === "nobody") onChange(null);
    else onChange(chosen === "made" ? (customer?.id ?? "") : "");
  };
  return (
    <>
      <label>
        <span>Customer</span>
        <select value={kind} onChange={({ target }) => choose(target.value)}>
          <option value="usual">The usual one</option>
          <option value="nobody">Nobody</option>
          {customer !== undefined && <option value="made">{customer.name}</option>}
          <option value="other">Somebody else, by id</option>
        </select>
      </label>
      {kind === "other" && (
        <label>
          <span>The customer’s id</span>
          <input value={profileId ?? ""} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
        </label>
      )}
    </>
  );
}
