/** The exchange's eleven sectors, the word used in invented names, and roughly how many companies are in each. */
export const SECTORS: readonly { sector: string; word: string; weight: number }[] = [
  { sector: 'Basic Materials', word: 'Material', weight: 0.11 },
  { sector: 'Consumer Cyclicals', word: 'Niaga', weight: 0.16 },
  { sector: 'Consumer Non-Cyclicals', word: 'Pangan', weight: 0.13 },
  { sector: 'Energy', word: 'Energi', weight: 0.09 },
  { sector: 'Financials', word: 'Finansial', weight: 0.11 },
  { sector: 'Healthcare', word: 'Medika', weight: 0.04 },
  { sector: 'Industrials', word: 'Industri', weight: 0.07 },
  { sector: 'Infrastructures', word: 'Prasarana', weight: 0.07 },
  { sector: 'Properties & Real Estate', word: 'Properti', weight: 0.1 },
  { sector: 'Technology', word: 'Teknologi', weight: 0.05 },
  { sector: 'Transportation & Logistic', word: 'Logistik', weight: 0.07 },
];
