//! Mappings, tolerances and rounding.

use fablegrade_public::Ratio;

use super::{Answer, Machine, Unsupported};
use crate::qti::model::{Expression, Mapping, mapped};
use crate::qti::operators::{magnitude, round_at};
use crate::qti::value::{Cardinality, Value, floor, number};

impl Machine<'_> {
    pub(super) fn map_response(&mut self, id: &str, expression: &Expression) -> Answer {
        let response = self.declared.responses.get(id).copied();
        let Some((response, mapping)) = response.and_then(|one| Some((one, one.mapping.as_ref()?))) else {
            return Err(Unsupported {
                what: "mapResponse without a mapping".into(),
                place: expression.place.clone(),
            });
        };
        let value = self.read_variable(id)?;
        self.map(response.cardinality, mapping, &value)
    }

    /// Returns the points of an outcome according to its mapping; `None` without a mapping.
    pub(super) fn map_outcome(&mut self, id: &str) -> Option<Answer> {
        let declared = self.declared.outcomes.get(id).copied()?;
        let mapping = declared.mapping.as_ref()?;
        let value = self.read_variable(id);
        Some(value.and_then(|value| self.map(declared.cardinality, mapping, &value)))
    }

    fn map(&mut self, cardinality: Cardinality, mapping: &Mapping, value: &Value) -> Answer {
        self.compare(value.cost(), value.cost().saturating_add(mapping.cost()))?;
        Ok(Value::number(mapped(cardinality, mapping, value)))
    }

    pub(super) fn equal(&self, expression: &Expression, a: &Ratio, b: &Ratio) -> Option<bool> {
        let mode = expression.attribute("toleranceMode").unwrap_or("exact");
        if mode == "exact" {
            return Some(a == b);
        }
        let bounds: Vec<Ratio> = expression
            .attribute("tolerance")?
            .split_ascii_whitespace()
            .map(|word| number(word).or_else(|| self.read_variable(word).ok()?.as_number()))
            .collect::<Option<_>>()?;
        let below = bounds.first()?;
        let above = bounds.get(1).unwrap_or(below);
        let hundred = Ratio::new(100, 1);
        let amount = |bound: &Ratio| match mode {
            "absolute" => Some(bound.clone()),
            "relative" => bound.times(a).over(&hundred),
            _ => None,
        };
        let (mut low, mut high) = (a.minus(&amount(below)?), a.plus(&amount(above)?));
        if low > high {
            std::mem::swap(&mut low, &mut high);
        }
        let inclusive = |name: &str| expression.attribute(name).is_none_or(|text| text.trim() != "false");
        let fits_low = if inclusive("includeLowerBound") { *b >= low } else { *b > low };
        let fits_high = if inclusive("includeUpperBound") { *b <= high } else { *b < high };
        Some(fits_low && fits_high)
    }

    pub(super) fn rounded(&self, expression: &Expression, a: &Ratio) -> Option<Ratio> {
        let figures = floor(&self.attribute_number(expression, "figures")?)?;
        let figures = i32::try_from(figures).ok().filter(|figures| (-60..=60).contains(figures))?;
        match expression.attribute("roundingMode").unwrap_or("significantFigures") {
            "decimalPlaces" => round_at(a, figures),
            _ if a.is_zero() => Some(a.clone()),
            _ => round_at(a, figures - 1 - magnitude(a)?),
        }
    }
}
