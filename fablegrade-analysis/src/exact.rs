//! Exact sums and the statistics computed from them.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::statistic::Undefined;

/// An exact value, or the reason why it is undefined.
type Exact = Result<RBig, Undefined>;

/// Returns a whole number as a fraction.
pub(crate) fn whole(value: impl Into<IBig>) -> RBig {
    RBig::from_parts(value.into(), UBig::ONE)
}

/// Returns the nearest `f64`.
pub(crate) fn round(value: &RBig) -> f64 {
    value.to_f64().value()
}

/// `n`, `Σx`, `Σy`, `Σx²`, `Σy²` and `Σxy` of pairs of whole numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pairs {
    pub(crate) count: u64,
    pub(crate) x: i128,
    pub(crate) y: i128,
    pub(crate) xx: i128,
    pub(crate) yy: i128,
    pub(crate) xy: i128,
}

impl Pairs {
    /// Adds a pair `times` times. Both numbers are at most 10¹² in absolute value.
    pub(crate) fn add(&mut self, x: i64, y: i64, times: u64) {
        let (x, y, n) = (i128::from(x), i128::from(y), i128::from(times));
        self.count += times;
        self.x += n * x;
        self.y += n * y;
        self.xx += n * (x * x);
        self.yy += n * (y * y);
        self.xy += n * (x * y);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.yy += other.yy;
        self.xy += other.xy;
    }

    /// Returns whether no variance is negative and no correlation is outside of -1 to 1.
    pub(crate) fn is_consistent(&self) -> bool {
        let n = IBig::from(self.count);
        let spread =
            |product: i128, x: i128, y: i128| &n * IBig::from(product) - IBig::from(x) * IBig::from(y);
        let (xx, yy) = (spread(self.xx, self.x, self.x), spread(self.yy, self.y, self.y));
        let xy = spread(self.xy, self.x, self.y);
        xx >= IBig::ZERO && yy >= IBig::ZERO && &xy * &xy <= xx * yy
    }

    /// Returns the sums of the pairs `(x, x + y)`.
    pub(crate) fn with_sum(&self) -> Self {
        Self {
            y: self.x + self.y,
            yy: self.xx + 2 * self.xy + self.yy,
            xy: self.xx + self.xy,
            ..self.clone()
        }
    }

    pub(crate) fn mean_x(&self) -> Exact {
        self.over(whole(self.x), 0)
    }

    /// Returns the sample variance of x: `(Σx² - (Σx)²/n) / (n - 1)`.
    pub(crate) fn variance_x(&self) -> Exact {
        self.covariance_of(self.xx, self.x, self.x)
    }

    /// Returns the sample variance of y.
    pub(crate) fn variance_y(&self) -> Exact {
        self.covariance_of(self.yy, self.y, self.y)
    }

    /// Returns the sample covariance: `(Σxy - ΣxΣy/n) / (n - 1)`.
    pub(crate) fn covariance(&self) -> Exact {
        self.covariance_of(self.xy, self.x, self.y)
    }

    /// Returns the sample covariance that x and y would have if `Σxy` were `product`.
    pub(crate) fn covariance_if(&self, product: &IBig) -> Exact {
        self.over(whole(self.x) * whole(self.y), 0)
            .and_then(|mean| self.over(whole(product.clone()) - mean, 1))
    }

    /// Returns Pearson's correlation of x and y.
    pub(crate) fn correlation(&self) -> Result<f64, Undefined> {
        let product = self.variance_x()? * self.variance_y()?;
        if product == RBig::ZERO {
            return Err(Undefined::NoSpread);
        }
        Ok(round(&self.covariance()?) / libm::sqrt(round(&product)))
    }

    fn covariance_of(&self, product: i128, x: i128, y: i128) -> Exact {
        self.over(whole(x) * whole(y), 0).and_then(|mean| self.over(whole(product) - mean, 1))
    }

    /// Returns `sum / (n - less)`.
    fn over(&self, sum: RBig, less: u64) -> Exact {
        if self.count <= less {
            return Err(Undefined::TooFew);
        }
        Ok(sum / whole(self.count - less))
    }
}

/// The first four power sums.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Powers {
    pub(crate) count: u64,
    pub(crate) sums: [IBig; 4],
}

impl Powers {
    pub(crate) fn add(&mut self, value: i64) {
        self.count += 1;
        let value = IBig::from(value);
        let mut power = IBig::ONE;
        for sum in &mut self.sums {
            power *= &value;
            *sum += &power;
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
    }

    /// Returns whether the sums satisfy the Cauchy-Schwarz inequality, so no variance is negative.
    pub(crate) fn is_consistent(&self) -> bool {
        let n = IBig::from(self.count);
        let [one, two, three, four] = &self.sums;
        let bounded = |low: &IBig, middle: &IBig, high: &IBig| {
            *low >= IBig::ZERO && *high >= IBig::ZERO && middle * middle <= low * high
        };
        let has_count = self.count > 0 || *four == IBig::ZERO;
        has_count && bounded(&n, one, two) && bounded(&n, two, four) && bounded(two, three, four)
    }

    pub(crate) fn mean(&self) -> Exact {
        if self.count == 0 { Err(Undefined::TooFew) } else { Ok(self.moment(0)) }
    }

    fn moment(&self, at: usize) -> RBig {
        whole(self.sums[at].clone()) / whole(self.count)
    }

    /// Returns the second, third and fourth central moments, each over `n`.
    fn central(&self) -> Result<[RBig; 3], Undefined> {
        let mean = self.mean()?;
        let (two, three, four) = (self.moment(1), self.moment(2), self.moment(3));
        let square = &mean * &mean;
        let m2 = &two - &square;
        let m3 = &three - whole(3) * &mean * &two + whole(2) * &square * &mean;
        let m4 = four - whole(4) * &mean * three + whole(6) * &square * two - whole(3) * &square * &square;
        Ok([m2, m3, m4])
    }

    /// Returns the unbiased estimates k₂, k₃ and k₄ of the cumulants (Fisher's k-statistics), if `n` is large
    /// enough.
    fn cumulants(&self) -> Result<(RBig, Exact, Exact), Undefined> {
        let [m2, m3, m4] = self.central()?;
        if self.count < 2 {
            return Err(Undefined::TooFew);
        }
        let n = i128::from(self.count);
        let square = whole(n) * whole(n);
        let k2 = whole(n) / whole(n - 1) * &m2;
        let k3 =
            if n < 3 { Err(Undefined::TooFew) } else { Ok(&square / (whole(n - 1) * whole(n - 2)) * m3) };
        let k4 = if n < 4 {
            Err(Undefined::TooFew)
        } else {
            let inner = whole(n + 1) * m4 - whole(3 * (n - 1)) * &m2 * &m2;
            Ok(square / (whole(n - 1) * whole(n - 2) * whole(n - 3)) * inner)
        };
        Ok((k2, k3, k4))
    }

    /// Returns the sample variance.
    pub(crate) fn variance(&self) -> Exact {
        self.cumulants().map(|(k2, ..)| k2)
    }

    /// Returns `k₃ / k₂^(3/2)`.
    pub(crate) fn skewness(&self) -> Result<f64, Undefined> {
        let (k2, k3, _) = self.cumulants()?;
        if k2 == RBig::ZERO {
            return Err(Undefined::NoSpread);
        }
        Ok(round(&k3?) / libm::sqrt(round(&(&k2 * &k2 * k2.clone()))))
    }

    /// Returns `k₄ / k₂²`.
    pub(crate) fn kurtosis(&self) -> Result<f64, Undefined> {
        let (k2, _, k4) = self.cumulants()?;
        if k2 == RBig::ZERO {
            return Err(Undefined::NoSpread);
        }
        Ok(round(&(k4? / (&k2 * &k2))))
    }
}
