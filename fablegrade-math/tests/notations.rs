//! Notations whose reading depends on names, units or words, so that their pairs cannot be respelled: the verdict and
//! both sides.
#![allow(clippy::unwrap_used)]

use fablegrade_math::{Options, compare};

const PAIRS: &[(&str, &str, &str)] = &[
    // orders of derivatives
    ("different", "y^{(3)}+y=0", "y^3+y=0"),
    ("same", "f'''(x)=6", "f^{(3)}(x)=6"),
    ("different", "f^{(3)}(x)", "f^3(x)"),
    ("same", "y^{(4)}+y=0", "y''''+y=0"),
    ("same", r"\frac{dy'}{dx}", "y''"),
    ("same", r"\frac{d}{dx}y'+y'=3", "y''+y'=3"),
    ("same", r"\frac{d\dot x}{dt}", r"\ddot x"),
    ("open", r"\frac{dy'}{du}", "y''"),
    ("open", r"\frac{d}{dx}x'", "x''"),
    ("same", r"\Delta{e}", r"\Delta e"),
    // a number has one exponent part
    ("same", "3E2e2", "600e"),
    // points, and probabilities of numbered states
    ("same", r"A\left(1\mid 2\right)", "A=(1,2)"),
    // a function among other relations, and its graph
    ("open", "f(x)=x^2,x>0", "y=x^2,x>0"),
    ("different", "f(x)=x^2,x>0", "x=3"),
    ("same", "P(0|1)=0.3", r"P(0\mid1)=\frac3{10}"),
    ("different", "f^{(n)}", "f^n"),
    ("different", "y^{(9)}", "y^9"),
    ("different", "f^{(10)}", "f^{10}"),
    ("same", "f^{(10)}(x)+1", "1+f^{(10)}(x)"),
    ("open", r"y^{\left(3\right)}", "y^3"),
    ("same", "x^{(2)}", "x^2"),
    ("same", "(x^3)''", "6x"),
    ("unread", "(ax^2)'", "2ax"),
    // units in one pair of braces
    ("same", r"5\,\mathrm{cm^2}", r"5\,\mathrm{cm}^2"),
    ("same", r"9.8\ \mathrm{m/s^2}", r"9.8\,\mathrm{m}\,\mathrm{s}^{-2}"),
    ("same", r"10\,\mathrm{m\,s^{-1}}", r"10\,\mathrm{m/s}"),
    ("same", r"6\,\mathrm{N\,m}", r"6\,\mathrm N\cdot\mathrm m"),
    ("same", r"5\text{ cm²}", r"5\text{ cm}^2"),
    ("same", r"\mathrm{H_2O}", r"\text{H}_2\text{O}"),
    ("different", r"9.8\text{ m/s}^2", r"9.8\left(\mathrm m/\mathrm s\right)^2"),
    ("same", r"5{\rm cm}", r"5\,\mathrm{cm}"),
    ("same", r"4\text{ kg m}^2", r"4\,\mathrm{kg\cdot m^2}"),
    ("unread", r"\mathrm{J/kg\,K}", "1"),
    ("same", r"\num{1.5e3}", "1500"),
    // words between statements
    ("same", r"x=2\text{ ou }x=3", r"x\in\{2,3\}"),
    ("same", r"x=2\text{ или }x=3", r"x\in\{2,3\}"),
    ("same", r"x=3\text{ y }z=2", "x=3,z=2"),
    ("same", r"x=3\quad\text{o}\quad x=2", r"x\in\{2,3\}"),
    ("unread", r"x=3\text{ luego }x=2", "x=2"),
    ("same", r"x=42\text{.}", "x=42"),
    // wide spaces and conditions
    ("different", r"x=1\quad y=2", "x=2,y=2"),
    ("same", r"x=1\quad y=2", "x=1,y=2"),
    ("same", r"x=2\quad x=5", r"x=2\text{ or }x=5"),
    ("different", r"3\quad4", "12"),
    ("same", r"2x\quad y", "2xy"),
    ("same", r"x+1\ (x\ne1)", r"x+1,x\ne1"),
    ("unread", r"x=1\quad y=2\text{ or }x=3\quad y=4", "x=1,y=2"),
    // repeating decimals
    ("same", "0.(3)", r"\frac13"),
    ("different", "1.(6)", "6"),
    ("same", "0{,}(3)", r"\frac13"),
    ("same", r"0.\dot{1}4285\dot{7}", r"\frac17"),
    ("same", r"0.1666\ldots", r"\frac16"),
    ("unread", r"3.14159\ldots", r"\pi"),
    ("open", "0.1(6)", r"\frac16"),
    ("open", "0.1(6)", "0.6"),
    ("same", "2(3)", "6"),
    // bold constants, currencies
    ("different", r"\mathbf i", "i"),
    ("same", r"\mathbf i+2\mathbf j", r"\mathbf{i}+2\mathbf{j}"),
    ("different", r"\$5", "£5"),
    ("same", r"\$5", "5"),
    // changes and nablas
    ("different", r"v=\frac{\Delta s}{\Delta t}", r"v=\frac st"),
    ("different", r"\frac{\delta y}{\delta x}", r"\frac yx"),
    ("same", r"e^{-\delta t}", r"e^{-t\delta}"),
    ("same", r"\Delta=b^2-4ac", r"\Delta=b\cdot b-4ca"),
    ("same", r"\lim_{\Delta x\to0}\frac{(x+\Delta x)^2-x^2}{\Delta x}", "2x"),
    ("open", r"\nabla\times F", r"\nabla F"),
    ("same", r"\vec{AB}+\vec{BC}", r"\vec{AC}"),
    ("same", r"\overrightarrow{AB}=(3,-1)", "(3,-1)"),
    // arrays
    ("same", r"\left\{\begin{array}{ll}x&x>0\\-x&x\le0\end{array}\right.", "|x|"),
    ("same", r"\begin{array}{l}x=1\\y=2\end{array}", "x=1,y=2"),
    ("same", r"\begin{array}{rcl}x&=&1\\y&=&2\end{array}", "x=1,y=2"),
    ("same", r"\left[\begin{array}{l}x=1\\x=2\end{array}\right.", r"x\in\{1,2\}"),
    // points
    ("same", "A(1|2)", "(1,2)"),
    ("same", "P=(3,4)", "P(3,4)"),
    ("same", "A(2;3)", "(2,3)"),
    ("same", r"\left(2\middle|3\right)", "(2,3)"),
    ("different", "A(1|2),B(3|4)", "A(3|4),B(1|2)"),
    ("unread", "C(5,2)", "10"),
    // events and subscripts
    ("same", r"P(A\cap B)", r"P(B\cap A)"),
    ("different", r"P(A\cap B)", r"P(A\cup B)"),
    ("different", "P(A|B)", "P(B|A)"),
    ("same", "x_{n+1}", "x_{1+n}"),
    ("different", "x_{n+1}", "x_{n-1}"),
    // angles, sets, limits
    ("same", r"12^\circ30'36''", r"12.51^\circ"),
    ("same", r"x\in\mathbb R-\{2\}", r"x\ne2"),
    ("same", r"\mathbb R_+^*", r"(0,\infty)"),
    ("same", r"\lim_{x\to0+}\frac1x", r"\infty"),
    ("same", r"\begin{equation}x=2,\end{equation}", "x=2"),
    // products of vectors
    ("open", r"\vec a\times\vec b", r"\vec b\times\vec a"),
    ("open", r"\vec a\times\vec b", r"\vec a\cdot\vec b"),
    ("open", r"(\vec a\cdot\vec b)\vec c", r"\vec a(\vec b\cdot\vec c)"),
    ("same", r"\vec a\times\vec b", r"\vec{a} \times \vec{b}"),
    ("same", r"\vec a\cdot\vec b", r"\vec b\cdot\vec a"),
    ("same", r"2\times\vec a", r"\vec a\cdot2"),
    // letters that are probably matrices
    ("open", "B^TA^T", "A^TB^T"),
    ("same", "B^TA^T", "(AB)^T"),
    ("open", "(AB)^{-1}", "A^{-1}B^{-1}"),
    ("open", "X=A^{-1}B", "X=BA^{-1}"),
    ("same", "X=A^{-1}B", r"X=A^{-1}\cdot B"),
    ("open", "A=PDP^{-1}", "A=D"),
    ("different", "A^{-1}B", "A^{-1}BC"),
    ("same", "FA^{-1}", r"\frac FA"),
    ("same", "nRTV^{-1}", r"\frac{nRT}{V}"),
    ("same", "PR^T", "R^TP"),
    // letters that may be complex
    ("open", "|z-i|<2", "|z+i|<2"),
    ("open", "|z-i|=|z-1|", "|z+i|=|z-1|"),
    ("open", r"\left|\frac{z-i}{z+i}\right|", "1"),
    ("open", "|z_1-i|", r"\sqrt{z_1^2+1}"),
    ("open", r"\operatorname{Im}(u)", "0"),
    ("open", r"\operatorname{Re}(z)=2", "z=2"),
    ("same", "2|z-i|=4", "|z-i|=2"),
    ("same", "|z-i|=2", "|i-z|=2"),
    ("same", "z=2+3i", "z=3i+2"),
    ("same", "|x+iy|", r"\sqrt{x^2+y^2}"),
    // constants that may be those of integration
    ("open", r"\frac12\sin^2x+C", r"-\frac14\cos2x+C"),
    ("open", r"\ln|2x|+C", r"\ln|x|+C"),
    ("open", "x^2+C", "x^2+K"),
    ("same", "x^2+C", "C+x^2"),
    ("different", "x^2+C", "x^3+C"),
    ("different", "x^2+C", "x^2+1"),
    ("different", "ax^2+bx+c", "ax^2+bx+c+1"),
    ("different", "kx+k", "kx+2k"),
    // numbered quantities and named sets that need not be solutions
    ("open", "a_{1,2}=5", "a_1=5,a_2=5"),
    ("open", "F_1=3,F_2=2", "F=2,F=3"),
    ("open", r"m_1=2\text{ or }m_2=3", r"m_1=2\text{ and }m_2=3"),
    ("open", r"D=[0;\infty)", r"y\ge0"),
    ("open", r"A=\{2\}", "x=2"),
    ("same", "x_1=2,x_2=3", r"x=2\text{ or }x=3"),
    ("same", r"L=\{2,3\}", r"x=2\text{ or }x=3"),
    // brackets after decimals that are factors
    ("same", "0.5(10)(2)^2", "20"),
    ("same", "9.8(2)t", "19.6t"),
    ("same", "0.05(100)", "5"),
    ("same", "3.14(2)^2", "12.56"),
    ("open", "0{,}1(6)x", r"\frac16x"),
    // exponents that may be orders
    ("open", "y^{(x)}", "y^x"),
    ("open", "h^{(2)}", "h^2"),
    ("same", "g''(x)", "g^{(2)}(x)"),
    // a discriminant on one side
    ("open", r"\Delta x", r"x\Delta"),
    ("different", "v_1=2,v_2=3", "v_1=3,v_2=2"),
    ("different", "a+c", "a+1+c"),
    ("open", "x^2+c", "x^2+1+c"),
];

#[test]
fn notations_have_their_verdicts() {
    let mut wrong = Vec::new();
    for (wanted, a, b) in PAIRS {
        for (a, b) in [(a, b), (b, a)] {
            let found = match compare(a, b, &Options::new()).map(|decision| decision.verdict().as_bool()) {
                Ok(Some(true)) => "same",
                Ok(Some(false)) => "different",
                Ok(None) => "open",
                Err(_) => "unread",
            };
            if found != *wanted {
                wrong.push(format!("{a} | {b}: {found}, not {wanted}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
