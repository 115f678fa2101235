use proptest::prelude::*;

use super::*;
use crate::evaluate::{Evaluator, LANES, Program, Value};
use crate::expr::{Arena, Constant, Function, Id, SeriesKind};
use crate::number::Rational;
use crate::points::{Points, SamplingHints, Variable};
use crate::random_trees::{Tree, trees};

/// Function values at doubles to 60 digits, computed with mpmath at 80 digits.
#[allow(clippy::approx_constant)] // the exact doubles are needed
const TABLE: &[(&str, f64, &str)] = &[
    ("Sin", 0.5, "4.79425538604203000273287935215571388081803367940600675188617e-1"),
    ("Sin", -2.75, "-3.81660992052331698576561372377780301082247758621220219529854e-1"),
    ("Sin", 10000000000.0, "-4.87506025087510691527794294348106041676447316922786885745255e-1"),
    ("Sin", 1e+22, "-8.52200849767188801772705893753029368261762150410043656256509e-1"),
    ("Sin", 1e-30, "1.00000000000000008333642060758598535093133602686865450236451e-30"),
    ("Sin", 3.8725919148493183e-121, "3.87259191484931827281803063328635184757021919204879086548776e-121"),
    ("Sin", 3.141592653589793, "1.22464679914735317722606593227499799708305390129979194948826e-16"),
    ("Cos", 0.5, "8.77582561890372716116281582603829651991645197109744052997611e-1"),
    ("Cos", -2.75, "-9.24302378632463544096659489526713478210884772395969294264160e-1"),
    ("Cos", 10000000000.0, "8.73119622676856001176191345307695196190412600167686736069219e-1"),
    ("Cos", 1e300, "-5.75386111957549046688244275965806150635663635515201675201017e-1"),
    ("Cos", 1e-30, "9.99999999999999999999999999999999999999999999999999999999999e-1"),
    ("Cos", 1.5707963267948966, "6.12323399573676588613032966137500146464037779883628305209605e-17"),
    ("Tan", 0.5, "5.46302489843790513255179465780285383297551720179791246164091e-1"),
    ("Tan", -2.75, "4.12917894484932487763966873261129123736255820362062889934249e-1"),
    ("Tan", 100000.0, "-3.57716629528987734113305445689309620377758949198680497964788e-2"),
    ("Tan", 1.5707963267948966, "1.63312393531953697559677370415289165308640681049103028975845e+16"),
    ("Asin", 0.5, "5.23598775598298873077107230546583814032861566562517636829157e-1"),
    ("Asin", -0.999999, "-1.56938211311465203413778977043061620084994202578538712436128"),
    ("Asin", 1.0, "1.57079632679489661923132169163975144209858469968755291048747"),
    ("Asin", -1.0, "-1.57079632679489661923132169163975144209858469968755291048747"),
    ("Asin", 1e-20, "9.99999999999999945153271454209571651729520369454059113771640e-21"),
    ("Acos", 0.5, "1.04719755119659774615421446109316762806572313312503527365831"),
    ("Acos", -0.999999, "3.14017843990954865336911146207036764294852672547294003484875"),
    ("Acos", 0.9999999999999999, "1.49011611938476563878634354255046159223992212696643562220725e-8"),
    ("Acos", -1.0, "3.14159265358979323846264338327950288419716939937510582097494"),
    ("Acos", 1e-20, "1.57079632679489661922132169163975144264705198514545719397018"),
    ("Atan", 0.5, "4.63647609000806116214256231461214402028537054286120263810933e-1"),
    ("Atan", -3.25, "-1.27229739520871734129619374982248049406843430586646046569457"),
    ("Atan", 10000000000.0, "1.57079632669489661923132169164008477543191803302088424382081"),
    ("Atan", 1e-20, "9.99999999999999945153271454209571651729470369454059113779867e-21"),
    ("Atan", -1.0, "-7.85398163397448309615660845819875721049292349843776455243736e-1"),
    ("Atan", 1.9375, "1.09432890732118991989278831461023521251302006651464193074469"),
    ("Atan", 2.5, "1.19028994968253173292773377482931833760117898602945207291117"),
    ("Sinh", 0.5, "5.21095305493747361622425626411491559105928982611480527946094e-1"),
    ("Sinh", -3.25, "-1.28757828546806700395966039170548128666975623935089767441709e+1"),
    ("Sinh", 50.0, "2.59235276429353623204372666146674269241373445385443080275614e+21"),
    ("Sinh", 1e-20, "9.99999999999999945153271454209571651729520369454059113771640e-21"),
    ("Sinh", 700.0, "5.07116027367502254727664797615633807602339786121536674390268e+303"),
    ("Cosh", 0.5, "1.12762596520638078522622516140267201254784711809866748362899"),
    ("Cosh", -3.25, "1.29145570625123920494835037523224090099577064554449968898716e+1"),
    ("Cosh", 50.0, "2.59235276429353623204372666146674269241373464672941559914792e+21"),
    ("Cosh", 1e-20, "1.00000000000000000000000000000000000000004999999999999999452"),
    ("Tanh", 0.5, "4.62117157260009758502318483643672548730289280330113038552732e-1"),
    ("Tanh", -3.25, "-9.96997635486526016932275926439572273059198209763508906580066e-1"),
    ("Tanh", 20.0, "9.99999999999999991503291489416822045438558191190987257130475e-1"),
    ("Tanh", 1e-20, "9.99999999999999945153271454209571651729470369454059113779867e-21"),
    ("Asinh", 0.5, "4.81211825059603447497758913424368423135184334385660519661018e-1"),
    ("Asinh", -3.25, "-1.89467213542304100704171550641649109565580109759231400961559"),
    ("Asinh", 1e+20, "4.67448490404408589897770612151454607200975549069357147747872e+1"),
    ("Asinh", 1e-20, "9.99999999999999945153271454209571651729487036120725780443791e-21"),
    ("Acosh", 1.5, "9.62423650119206894995517826848736846270368668771321039322036e-1"),
    ("Acosh", 1.0000000000000002, "2.10734242554470155035478037518280008839254253869926233529506e-8"),
    ("Acosh", 1e+20, "4.67448490404408589897770612151454607200975049069357147747872e+1"),
    ("Atanh", 0.5, "5.49306144334054845697622618461262852323745278911374725867347e-1"),
    ("Atanh", -0.999, "-3.80020116725019958746460173498017099264556303196718490711238"),
    ("Atanh", 1e-20, "9.99999999999999945153271454209571651729537036120725780435564e-21"),
    ("Ln", 0.5, "-6.93147180559945309417232121458176568075500134360255254120680e-1"),
    ("Ln", 2.0, "6.93147180559945309417232121458176568075500134360255254120680e-1"),
    ("Ln", 3.0, "1.09861228866810969139524523692252570464749055782274945173469"),
    ("Ln", 1.0000000000000002, "2.22044604925031283432823045461548792598233180790111470255693e-16"),
    ("Ln", 1e300, "6.90775527898213705257902196660513681150659990441493231550394e+2"),
    ("Ln", 1e-300, "-6.90775527898213705180338344570100502908613341583641344062547e+2"),
    ("Ln", 0.7, "-3.56674943938732442353954404107274514571809070899497950782397e-1"),
    ("Ln", 1.4142135623730951, "3.46573590279972723066702637348315628422040920503198944881265e-1"),
    ("Erf", 0.5, "5.20499877813046537682746653891964528736451575757963700058806e-1"),
    ("Erf", -2.0, "-9.95322265018952734162069256367252928610891797040060076738352e-1"),
    ("Erf", 5.5, "9.99999999999992642152082025601936931637601429909791776915031e-1"),
    ("Erf", 1e-10, "1.12837916709551261500173010155193756780670329960934868981247e-10"),
    ("Gamma", 0.5, "1.77245385090551602729816748334114518279754945612238712821381"),
    ("Gamma", -1.5, "2.36327180120735470306422331112152691039673260816318283761841"),
    ("Gamma", 3.75, "4.42298841046025056288783918870043299535369166114006736240871"),
    ("Gamma", 10.25, "6.39232598779576794283758401876084967153425284996821146812098e+5"),
    ("Gamma", 100.5, "9.32096310408271660834910980914191043790649703816236115401612e+156"),
    ("Gamma", 5.0, "2.40000000000000000000000000000000000000000000000000000000000e+1"),
    ("Gamma", -20.3125, "-6.02855645173310705280283535635984928238944357040240529477620e-19"),
    ("Factorial", 0.5, "8.86226925452758013649083741670572591398774728061193564106904e-1"),
    ("Factorial", 10.0, "3.62880000000000000000000000000000000000000000000000000000000e+6"),
    ("Factorial", 30.0, "2.65252859812191058636308480000000000000000000000000000000000e+32"),
    ("Factorial", -0.25, "1.22541670246517764512909830336289052685123924810807061123012"),
    ("Exp", 0.5, "1.64872127070012814684865078781416357165377610071014801157508"),
    ("Exp", -2.75, "6.39278612067075727024300255579517493086340950787684482181902e-2"),
    ("Exp", 100.25, "3.45161073312592398713619859952657467509239631932314031843216e+43"),
    ("Exp", -700.5, "5.98019611863979120641210733049510004798077289264143028991014e-305"),
    ("Exp", 1e-20, "1.00000000000000000000999999999999999945158271454209571651181"),
    ("Exp", 1.0, "2.71828182845904523536028747135266249775724709369995957496697"),
    ("Exp", 20.0, "4.85165195409790277969106830541540558684638988944847254353611e+8"),
];

fn function(name: &str) -> Option<Function> {
    Some(match name {
        "Sin" => Function::Sin,
        "Cos" => Function::Cos,
        "Tan" => Function::Tan,
        "Asin" => Function::Asin,
        "Acos" => Function::Acos,
        "Atan" => Function::Atan,
        "Sinh" => Function::Sinh,
        "Cosh" => Function::Cosh,
        "Tanh" => Function::Tanh,
        "Asinh" => Function::Asinh,
        "Acosh" => Function::Acosh,
        "Atanh" => Function::Atanh,
        "Ln" => Function::Ln,
        "Erf" => Function::Erf,
        "Gamma" => Function::Gamma,
        "Factorial" => Function::Factorial,
        _ => return None,
    })
}

/// Asserts that the ball contains a number, up to the rounding of its 60 digits.
#[track_caller]
fn assert_holds(ball: &Ball, digits: &str, bits: usize, what: &str) {
    let expected = Rational::from_decimal_text(digits).unwrap();
    let expected = Ball::rational(&expected, 2 * bits + 256).unwrap();
    let difference = ball.minus(&expected, 2 * bits + 256).unwrap();
    // The text has only 60 digits.
    let slack = expected.top() - 195;
    assert!(
        difference.sign().is_none() || difference.is_below(slack),
        "{what} at {bits} bits: {ball:?}, expected {digits}"
    );
}

#[test]
fn functions_hold_published_digits() {
    let mut constants = Constants::default();
    for &(name, argument, digits) in TABLE {
        for bits in [64, 100, 180, 300, 500] {
            let mut context = Context { bits, fuel: u64::MAX, constants: &mut constants };
            let x = Ball::float(argument).unwrap();
            let ball = match function(name) {
                Some(function) => context.unary(function, &x),
                None => context.exp(&x),
            };
            let ball = ball.unwrap_or_else(|gap| panic!("{name}({argument}) at {bits}: {gap:?}"));
            assert_holds(&ball, digits, bits, &format!("{name}({argument})"));
            // Near their zeros, sin and cos lose bits to cancellation; other functions lose at most 40 bits.
            let lost = if ball.top() < -40 && argument.abs() > 1.0 { 120 } else { 40 };
            assert!(ball.certain_bits() as usize + lost >= bits, "{name}({argument}) at {bits}: {ball:?}");
        }
    }
}

/// Returns the value of an expression without variables.
fn constant(arena: &Arena, id: Id, bits: usize) -> Result<Ball, Gap> {
    let program = Program::new(arena, &[id], &[]);
    let mut fuel = u64::MAX;
    let values = Precise::new().evaluate(&program, &[], Field::Real, bits, &mut fuel)?;
    Ok(values[0].re.clone())
}

#[test]
fn large_magnitudes_stay_relative() {
    let mut arena = Arena::default();
    let n = arena.integer(2004);
    let factorial = arena.apply(Function::Factorial, &[n]);
    let value = constant(&arena, factorial, 160).unwrap();
    // The leading digits of 2004! and 10^6! are from mpmath. Values are divided by an exact power of ten.
    let ten = Ball::integer(10);
    let scaled = |value: &Ball, power: u64| {
        let mut constants = Constants::default();
        let mut context = Context { bits: 400, fuel: u64::MAX, constants: &mut constants };
        let power = context.integer_power(&ten, power).unwrap();
        value.over(&power, 400).unwrap()
    };
    assert_holds(
        &scaled(&value, 5748),
        "5.33261680968262254540362294300681187196919596677805511775445",
        160,
        "2004!",
    );
    let n = arena.integer(1_000_000);
    let factorial = arena.apply(Function::Factorial, &[n]);
    let value = constant(&arena, factorial, 160).unwrap();
    assert_holds(
        &scaled(&value, 5_565_708),
        "8.26393168833124006237664610317266629113534797896387304516778",
        160,
        "10^6!",
    );
    // 9^(9^9)
    let (nine, exponent) = (arena.integer(9), arena.integer(387_420_489));
    let tower = arena.power(nine, exponent);
    let value = constant(&arena, tower, 160).unwrap();
    assert_holds(
        &scaled(&value, 369_693_099),
        "4.28124773175747048036987115930563521339055482241443514174754",
        160,
        "9^9^9",
    );
}

#[test]
fn towers_and_wide_angles_are_given_up_before_the_work() {
    let mut arena = Arena::default();
    let nine = arena.integer(9);
    let mut tower = nine;
    for _ in 0..6 {
        tower = arena.power(nine, tower);
    }
    assert_eq!(constant(&arena, tower, 160), Err(Gap::Unknown));
    let sine = arena.apply(Function::Sin, &[tower]);
    assert_eq!(constant(&arena, sine, 160), Err(Gap::Unknown));
    let big = arena.integer(1_000_000);
    let factorial = arena.apply(Function::Factorial, &[big]);
    let again = arena.apply(Function::Factorial, &[factorial]);
    assert_eq!(constant(&arena, again, 160), Err(Gap::Unknown));
    let sine = arena.apply(Function::Sin, &[factorial]);
    assert_eq!(constant(&arena, sine, 160), Err(Gap::Unknown));
}

/// Compares two constants.
fn compare(arena: &Arena, left: Id, right: Id) -> Agreement {
    let program = Program::new(arena, &[left, right], &[]);
    refute_or_agree(&program, &Points::default(), Field::Real, &Limits::default())
}

#[test]
fn constants_are_told_apart_at_any_scale() {
    let mut arena = Arena::default();
    let (ten, thirty) = (arena.integer(10), arena.integer(-30));
    let tiny = arena.power(ten, thirty);
    let double = arena.mul(Arena::TWO, tiny);
    assert!(matches!(compare(&arena, tiny, double), Agreement::Refuted { .. }));
    let (m, n) = (arena.integer(2004), arena.integer(2006));
    let (a, b) = (arena.apply(Function::Factorial, &[m]), arena.apply(Function::Factorial, &[n]));
    let (a, b) = (arena.div(Arena::ONE, a), arena.div(Arena::ONE, b));
    assert!(matches!(compare(&arena, a, b), Agreement::Refuted { .. }));
    // 1/2004! = 2005 * 2006 / 2006!
    let factor = arena.integer(2005 * 2006);
    let same = arena.mul(factor, b);
    assert!(matches!(compare(&arena, a, same), Agreement::Agreed { points: 1, .. }));
    // sqrt(2) + sqrt(3) = sqrt(5 + 2 sqrt 6), but not the root of 5 + 2 sqrt 6 + 10^-60.
    let (two, three, five, six) = (Arena::TWO, arena.integer(3), arena.integer(5), arena.integer(6));
    let (p, q, r) = (arena.sqrt(two), arena.sqrt(three), arena.sqrt(six));
    let left = arena.add(p, q);
    let double = arena.mul(two, r);
    let inner = arena.add(five, double);
    let right = arena.sqrt(inner);
    assert!(matches!(compare(&arena, left, right), Agreement::Agreed { bits, .. } if bits >= 120));
    let sixty = arena.integer(-60);
    let speck = arena.power(ten, sixty);
    let inner = arena.add(inner, speck);
    let other = arena.sqrt(inner);
    assert!(matches!(compare(&arena, left, other), Agreement::Refuted { .. }));
    // A complete cancellation counts as agreement, and a tiny additional term is detected.
    let zero = arena.sub(left, right);
    assert!(matches!(compare(&arena, zero, Arena::ZERO), Agreement::Agreed { .. }));
    let hundred = arena.integer(-100);
    let far = arena.power(ten, hundred);
    let nearly = arena.add(zero, far);
    assert!(matches!(compare(&arena, nearly, Arena::ZERO), Agreement::Refuted { .. }));
}

#[test]
fn identities_agree_and_near_misses_do_not() {
    let mut arena = Arena::default();
    let x = arena.symbol("x");
    let variable = arena.variable_of(x);
    let (sin, cos) = (arena.apply(Function::Sin, &[variable]), arena.apply(Function::Cos, &[variable]));
    let (a, b) = (arena.power(sin, Arena::TWO), arena.power(cos, Arena::TWO));
    let one = arena.add(a, b);
    let check = |arena: &Arena, left: Id, right: Id| {
        let variables = [Variable::real(x)];
        let points = Points::new(&variables, &SamplingHints::new(arena, &[left, right]), 11, 24);
        let program = Program::new(arena, &[left, right], &[x]);
        refute_or_agree(&program, &points, Field::Real, &Limits::default())
    };
    assert!(matches!(check(&arena, one, Arena::ONE), Agreement::Agreed { points: 12, .. }));
    // sqrt(x^2) is |x|, not x; ln(x^2) equals 2 ln x where both exist.
    let square = arena.power(variable, Arena::TWO);
    let root = arena.sqrt(square);
    let modulus = arena.apply(Function::Abs, &[variable]);
    assert!(matches!(check(&arena, root, modulus), Agreement::Agreed { .. }));
    assert!(matches!(check(&arena, root, variable), Agreement::Refuted { .. }));
    let (p, q) = (arena.apply(Function::Ln, &[square]), arena.apply(Function::Ln, &[variable]));
    let double = arena.mul(Arena::TWO, q);
    assert!(matches!(check(&arena, p, double), Agreement::Agreed { .. }));
    // There is no real point.
    let minus = arena.neg(square);
    let nothing = arena.apply(Function::Ln, &[minus]);
    assert_eq!(check(&arena, nothing, Arena::ONE), Agreement::Undecided(Reason::NoPoint));
    // The budget is respected.
    let n = arena.symbol("n");
    let upper = arena.integer(900);
    let index = arena.variable_of(n);
    let term = arena.apply(Function::Sin, &[index]);
    let inner = arena.series(SeriesKind::Sum, n, Arena::ONE, upper, term);
    let m = arena.symbol("m");
    let outer = arena.series(SeriesKind::Sum, m, Arena::ONE, upper, inner);
    assert_eq!(compare(&arena, outer, Arena::ZERO), Agreement::Undecided(Reason::Fuel));
}

#[test]
fn complex_values() {
    let mut arena = Arena::default();
    let i = arena.constant(Constant::I);
    let pi = arena.constant(Constant::Pi);
    let angle = arena.mul(i, pi);
    let power = arena.exp(angle);
    let check = |arena: &Arena, left: Id, right: Id| {
        let program = Program::new(arena, &[left, right], &[]);
        refute_or_agree(&program, &Points::default(), Field::Complex, &Limits::default())
    };
    assert!(matches!(check(&arena, power, Arena::MINUS_ONE), Agreement::Agreed { .. }));
    assert!(matches!(check(&arena, power, Arena::ONE), Agreement::Refuted { .. }));
    // i^i = e^(-pi/2), ln(-1) = i pi, cos(acos 2) = 2, (1+i)^2 = 2i
    let self_power = arena.power(i, i);
    let quarter = arena.fraction(-1, 2);
    let exponent = arena.mul(quarter, pi);
    let real = arena.exp(exponent);
    assert!(matches!(check(&arena, self_power, real), Agreement::Agreed { .. }));
    let logarithm = arena.apply(Function::Ln, &[Arena::MINUS_ONE]);
    assert!(matches!(check(&arena, logarithm, angle), Agreement::Agreed { .. }));
    let arc = arena.apply(Function::Acos, &[Arena::TWO]);
    let back = arena.apply(Function::Cos, &[arc]);
    assert!(matches!(check(&arena, back, Arena::TWO), Agreement::Agreed { .. }));
    let sum = arena.add(Arena::ONE, i);
    let square = arena.power(sum, Arena::TWO);
    let double = arena.mul(Arena::TWO, i);
    assert!(matches!(check(&arena, square, double), Agreement::Agreed { .. }));
    // Real evaluation does not decide complex values.
    let program = Program::new(&arena, &[square, double], &[]);
    let real = refute_or_agree(&program, &Points::default(), Field::Real, &Limits::default());
    assert!(matches!(real, Agreement::Undecided(_)));
}

#[test]
fn balls_round_towards_minus_infinity_for_floor() {
    for (value, floor) in [(-1.5, -2), (1.5, 1), (-2.0, -2), (0.25, 0), (-0.25, -1)] {
        assert_eq!(Ball::float(value).unwrap().floor().unwrap().to_integer(), Some(floor));
    }
    let third = Ball::rational(&Rational::new(-7, 3).unwrap(), 100).unwrap();
    assert_eq!(third.floor().unwrap().to_integer(), Some(-3));
    let three = third.times(&Ball::integer(3), 100).unwrap();
    assert_eq!(three.floor(), Err(Gap::Unknown));
}

fn dyadic() -> impl Strategy<Value = f64> {
    (-(1i64 << 40)..1 << 40, -60i32..20)
        .prop_map(|(mantissa, exponent)| libm::scalbn(mantissa as f64, exponent))
}

proptest! {
    /// Balls at low precision contain the exact results.
    #[test]
    fn arithmetic_contains_exact_results(a in dyadic(), b in dyadic(), bits in 32usize..80) {
        let exact = |value: f64| Rational::from_f64(value).unwrap();
        let (x, y) = (Ball::float(a).unwrap().rounded(bits).unwrap(), Ball::float(b).unwrap().rounded(bits).unwrap());
        let contains = |ball: &Ball, value: &Rational| {
            let exact = Ball::rational(value, 2000).unwrap();
            let difference = ball.minus(&exact, 2000).unwrap();
            difference.sign().is_none() || difference.is_zero()
        };
        prop_assert!(contains(&x.plus(&y, bits).unwrap(), &exact(a).checked_add(&exact(b)).unwrap()));
        prop_assert!(contains(&x.minus(&y, bits).unwrap(), &exact(a).checked_sub(&exact(b)).unwrap()));
        prop_assert!(contains(&x.times(&y, bits).unwrap(), &exact(a).checked_mul(&exact(b)).unwrap()));
        if b != 0.0 {
            prop_assert!(contains(&x.over(&y, bits).unwrap(), &exact(a).checked_div(&exact(b)).unwrap()));
        }
        let square = exact(a).checked_mul(&exact(a)).unwrap();
        let ball = Ball::rational(&square, 2000).unwrap().rounded(bits).unwrap();
        if a != 0.0 {
            prop_assert!(contains(&ball.square_root(bits).unwrap(), &exact(a).absolute()));
        }
    }

    /// Results at low and high precision overlap, and the former are not much wider than their precision.
    #[test]
    fn precisions_are_consistent(a in -30.0f64..30.0, bits in 48usize..200) {
        let mut constants = Constants::default();
        let x = Ball::float(a).unwrap();
        for name in ["Sin", "Cos", "Tan", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Asin", "Acos", "Acosh", "Atanh", "Ln", "Exp", "Erf", "Gamma"] {
            let mut value = |bits: usize| {
                let mut context = Context { bits, fuel: u64::MAX, constants: &mut constants };
                match function(name) {
                    Some(function) => context.unary(function, &x),
                    None => context.exp(&x),
                }
            };
            let (low, high) = (value(bits), value(bits * 2 + 100));
            match (low, high) {
                (Ok(low), Ok(high)) => {
                    let difference = low.minus(&high, 1000).unwrap();
                    prop_assert!(difference.sign().is_none() || difference.is_zero(), "{name}({a}) at {bits}");
                    prop_assert!(low.certain_bits() as usize + 45 >= bits, "{name}({a}) at {bits}: {low:?}");
                }
                (low, high) => prop_assert_eq!(low.err(), high.err(), "{}({}) at {}", name, a, bits),
            }
        }
    }

    /// If the operands are within their bounds, the result of an operation in doubles is within its bound.
    /// The ends of the intervals are the hard cases.
    #[test]
    fn double_operations_bound_the_ends_of_their_intervals(
        x in -12.0f64..12.0,
        y in -12.0f64..12.0,
        near in 3i32..52,
        left in prop_oneof![Just(-1.0), Just(1.0), Just(0.0), -1.0f64..1.0],
        right in prop_oneof![Just(-1.0), Just(1.0), Just(0.0), -1.0f64..1.0],
    ) {
        assert_ends(x, y, near, left, right)?;
    }

    /// An independent library gives the same results, up to a few units in its last place.
    #[test]
    fn another_library_agrees(a in -40.0f64..40.0) {
        use dashu_float::{Context as Other, FBig, round::mode::HalfEven};
        let other = Other::<HalfEven>::new(300);
        let theirs_x = FBig::<HalfEven, 2>::try_from(a).unwrap();
        let x = Ball::float(a).unwrap();
        let mut constants = Constants::default();
        let mut context = Context { bits: 280, fuel: u64::MAX, constants: &mut constants };
        let (sin, cos) = context.sin_cos(&x).unwrap();
        let mut pairs = vec![
            ("exp", context.exp(&x), other.exp(theirs_x.repr(), None)),
            ("sin", Ok(sin), other.sin(theirs_x.repr(), None)),
            ("cos", Ok(cos), other.cos(theirs_x.repr(), None)),
            ("atan", context.atan(&x), other.atan(theirs_x.repr(), None)),
        ];
        if a > 0.0 {
            pairs.push(("ln", context.ln(&x), other.ln(theirs_x.repr(), None)));
        }
        for (name, ours, theirs) in pairs {
            let (ours, theirs) = (ours.unwrap(), theirs.unwrap().value());
            let (significand, exponent) = theirs.into_repr().into_parts();
            let theirs = Ball::new(significand, exponent as i64, 8.0, 400).unwrap();
            let difference = ours.minus(&theirs, 500).unwrap();
            prop_assert!(difference.sign().is_none() || difference.is_zero(), "{name}({a}): {ours:?} {theirs:?}");
        }
    }

    /// The result for a wide argument contains the results for the numbers inside.
    #[test]
    fn results_contain_those_of_inner_points(a in -20.0f64..20.0, width in 10i32..60, inside in -1.0f64..1.0) {
        let mut constants = Constants::default();
        let spread = libm::scalbn(1.0, -width);
        let (factor, exponent) = libm::frexp(spread);
        let wide = Ball::float(a).unwrap().widened(ball::Magnitude { factor, exponent: i64::from(exponent) }).unwrap();
        let point = Ball::float(a).unwrap().plus(&Ball::float(spread * inside).unwrap(), 200).unwrap();
        for name in ["Sin", "Cos", "Tan", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Asin", "Acos", "Acosh", "Atanh", "Ln", "Exp", "Erf", "Gamma"] {
            let mut context = Context { bits: 150, fuel: u64::MAX, constants: &mut constants };
            let mut value = |x: &Ball| match function(name) {
                Some(function) => context.unary(function, x),
                None => context.exp(x),
            };
            if let (Ok(outer), Ok(inner)) = (value(&wide), value(&point)) {
                let difference = outer.minus(&inner, 400).unwrap();
                prop_assert!(difference.sign().is_none() || difference.is_zero(), "{name} of {wide:?}: {outer:?} {inner:?}");
            }
        }
    }

    /// The error bounds of the evaluation in doubles hold, and undefined expressions have no value.
    #[test]
    fn double_bounds_are_sound(tree in trees(), x in -6.0f64..6.0, y in -6.0f64..6.0, whole in 0u8..4) {
        assert_sound(&tree, x, y, whole)?;
    }
}

/// Compares exact results at the ends of the intervals with the error bounds of doubles.
fn assert_ends(x: f64, y: f64, near: i32, left: f64, right: f64) -> Result<(), TestCaseError> {
    const BITS: usize = 120;
    let (e, f) = (libm::scalbn(1.0, -near), libm::scalbn(1.0, -near - 1));
    let inner = |at: f64, by: f64| Ball::float(at).unwrap().plus(&Ball::float(by).unwrap(), BITS).unwrap();
    let (a, b) = (inner(x, left * e), inner(y, right * f));
    let mut constants = Constants::default();
    let mut context = Context { bits: BITS, fuel: u64::MAX, constants: &mut constants };
    let check = |name: &str, claimed: Option<(f64, f64)>, exact: Result<Ball, Gap>| {
        let Some((value, error)) = claimed else { return Ok(()) };
        let exact = match exact {
            Ok(exact) => exact,
            // Doubles must not give a value where there certainly is none.
            Err(gap) => {
                prop_assert_eq!(gap, Gap::Unknown, "{} of {} +- {}, {} +- {}", name, x, e, y, f);
                return Ok(());
            }
        };
        let distance = exact.minus(&Ball::float(value).unwrap(), 2 * BITS).unwrap().absolute();
        let slack = Ball::float(error).unwrap().minus(&distance, 2 * BITS).unwrap();
        // Decisions increase bounds by a factor of 1 + 2^-20.
        let slack = slack.plus(&Ball::float(error * 1e-6).unwrap(), 2 * BITS).unwrap();
        prop_assert!(
            !slack.is_negative(),
            "{name} of {x} +- {e}, {y} +- {f}: {value} +- {error} misses {}",
            exact.to_f64()
        );
        Ok(())
    };
    use crate::evaluate::probe;
    for name in TABLE.iter().map(|row| row.0).filter(|name| *name != "Factorial") {
        match function(name) {
            Some(function) => check(name, probe::unary(function, x, e), context.unary(function, &a))?,
            None => check(name, probe::exp(x, e), context.exp(&a))?,
        }
    }
    for function in
        [Function::Factorial, Function::Abs, Function::Sign, Function::Floor, Function::Ceil, Function::Round]
    {
        check("step", probe::unary(function, x, e), context.unary(function, &a))?;
    }
    for function in [Function::Min, Function::Max, Function::Mod, Function::Binomial, Function::Atan2] {
        check(
            &format!("{function:?}"),
            probe::binary(function, x, e, y, f),
            context.binary(function, &a, &b),
        )?;
    }
    for exact in [false, true] {
        check("+", probe::arithmetic('+', exact, x, e, y, f), context.add(&a, &b))?;
        check("-", probe::arithmetic('-', exact, x, e, y, f), context.subtract(&a, &b))?;
        check("*", probe::arithmetic('*', exact, x, e, y, f), context.multiply(&a, &b))?;
        check("/", probe::arithmetic('/', exact, x, e, y, f), context.divide(&a, &b))?;
    }
    check("^", probe::power(x, e, y, f), context.power(&a, &b))?;
    let whole = libm::rint(y);
    check("^", probe::power(x, e, whole, 0.0), context.power(&a, &Ball::float(whole).unwrap()))?;
    for (p, q) in [(1, 2), (1, 3), (2, 1), (7, 1), (30, 1), (2, 5), (3, 5), (4, 3), (5, 4), (9, 2)] {
        let exponent = Rational::new(i64::from(p), i64::from(q)).unwrap();
        check(&format!("^{p}/{q}"), probe::root(x, e, p, q), context.rational_power(&a, &exponent))?;
    }
    Ok(())
}

fn assert_sound(tree: &Tree, x: f64, y: f64, whole: u8) -> Result<(), TestCaseError> {
    // Some coordinates are integers, for which results are exact most often.
    let x = if whole & 1 == 1 { x.round() } else { x };
    let y = if whole & 2 == 2 { y.round() } else { y };
    let mut arena = Arena::default();
    let id = tree.build(&mut arena);
    let variables = [arena.symbol("x"), arena.symbol("y")];
    let program = Program::new(&arena, &[id], &variables);
    let mut evaluator = Evaluator::new();
    evaluator.run(&program, &[[x; LANES], [y; LANES]]);
    let value = evaluator.value(&program, 0, 5);
    let mut fuel = 3_000_000;
    let precise = Precise::new().evaluate(&program, &[x, y], Field::Real, 400, &mut fuel);
    match (value, precise) {
        (Value::Real { value, error }, Ok(numbers)) => {
            let difference = numbers[0].re.minus(&Ball::float(value).unwrap(), 500).unwrap();
            let bound = Ball::float(error).unwrap();
            let slack = bound.minus(&difference.absolute(), 500).unwrap();
            prop_assert!(
                !slack.is_negative(),
                "{tree:?} at {x}, {y}: {value} +- {error}, exact {:?}",
                numbers[0].re.to_f64()
            );
        }
        (Value::Real { .. }, Err(Gap::Undefined)) => {
            return Err(TestCaseError::fail(format!("{tree:?} at {x}, {y}: {value:?}, but undefined")));
        }
        (Value::Undefined, Ok(_)) => {
            return Err(TestCaseError::fail(format!("{tree:?} at {x}, {y}: called undefined")));
        }
        _ => {}
    }
    Ok(())
}
