//! Measures the import of questions, from bytes to checked specs: `import-speed [FILE]`.
//!
//! Prints a table with the MB per second of one core, and writes it to FILE if that is given. The fastest of
//! several rounds counts. Exits with 1 if Moodle XML is read slower than 20 MB per second.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use fablegrade_interchange::{Format, Source, read};

const ROUNDS: usize = 5;
const QUESTIONS: usize = 5_000;
/// The minimum speed of Moodle XML, in MB per second.
const LEAST: f64 = 20.0;

const TEXT: &str = "The Amazon, the Nile and the Yangtze are long rivers on three continents. Their sources were looked for in \
    many expeditions, some of which never came back, and their lengths depend on where they are measured. Read the table \
    beside the map, compare the three columns, and take the length that the newest measurement gives.";

fn moodle(out: &mut String) {
    out.push_str("<quiz>\n");
    for n in 0..QUESTIONS {
        let _ = write!(
            out,
            "<question type=\"multichoice\">\n  <name><text>River {n}</text></name>\n  <questiontext format=\"html\">\n    \
             <text><![CDATA[<p>{TEXT}</p><p>Which river is <b>number {n}</b> of the list?</p>]]></text>\n  </questiontext>\n  \
             <generalfeedback format=\"html\"><text><![CDATA[<p>{TEXT}</p>]]></text></generalfeedback>\n  \
             <defaultgrade>1.0000000</defaultgrade>\n  <penalty>0.0000000</penalty>\n  <hidden>0</hidden>\n  \
             <single>true</single>\n  <shuffleanswers>true</shuffleanswers>\n  <answernumbering>abc</answernumbering>\n"
        );
        for (share, river) in [("100", "Nile"), ("0", "Amazon"), ("0", "Yangtze"), ("0", "Rhine")] {
            let _ = write!(
                out,
                "  <answer fraction=\"{share}\" format=\"html\">\n    <text><![CDATA[<p>The {river} of {n}</p>]]></text>\n    \
                 <feedback format=\"html\"><text><![CDATA[<p>See the table beside the map.</p>]]></text></feedback>\n  </answer>\n"
            );
        }
        out.push_str("</question>\n");
    }
    out.push_str("</quiz>\n");
}

fn gift(out: &mut String) {
    for n in 0..QUESTIONS {
        let _ =
            write!(out, "::River {n}::{TEXT} {{=Nile {n}#Right. ~Amazon {n}#Too short. ~Yangtze {n}}}\n\n");
    }
}

fn csv(out: &mut String) {
    out.push_str("type,question,answer,option1,option2,option3\n");
    for n in 0..QUESTIONS {
        let _ = writeln!(out, "choice,\"{TEXT}\",Nile {n},Nile {n},Amazon {n},Yangtze {n}");
    }
}

fn olx(out: &mut String) {
    let _ = write!(
        out,
        "<problem><p>{TEXT}</p><multiplechoiceresponse><choicegroup type=\"MultipleChoice\"><choice correct=\"true\">Nile</choice>\
         <choice correct=\"false\">Amazon</choice></choicegroup></multiplechoiceresponse></problem>"
    );
}

/// Writes an item with a standard template of response processing, like most items of QTI 2 and 3.
fn qti(version_3: bool, out: &mut String) {
    let [item, declaration, correct, body, interaction, choice, processing] = if version_3 {
        [
            "qti-assessment-item xmlns=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0\" time-dependent=\"false\"",
            "qti-response-declaration base-type=\"identifier\"",
            "qti-correct-response",
            "qti-item-body",
            "qti-choice-interaction response-identifier=\"RESPONSE\" max-choices=\"1\"",
            "qti-simple-choice",
            "qti-response-processing template=\"https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml\"",
        ]
    } else {
        [
            "assessmentItem xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\" timeDependent=\"false\"",
            "responseDeclaration baseType=\"identifier\"",
            "correctResponse",
            "itemBody",
            "choiceInteraction responseIdentifier=\"RESPONSE\" maxChoices=\"1\"",
            "simpleChoice",
            "responseProcessing template=\"http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct\"",
        ]
    };
    let end = |tag: &str| format!("</{}>", tag.split(' ').next().unwrap_or_default());
    let (value, prompt) = if version_3 { ("qti-value", "qti-prompt") } else { ("value", "prompt") };
    let _ = write!(
        out,
        "<{item} identifier=\"river\" title=\"Rivers\" adaptive=\"false\">\n  \
         <{declaration} identifier=\"RESPONSE\" cardinality=\"single\">\n    \
         <{correct}><{value}>nile</{value}></{correct}>\n  {}\n  \
         <{body}>\n    <p>{TEXT}</p>\n    <{interaction} shuffle=\"true\">\n      \
         <{prompt}>Which river is the first of the list?</{prompt}>\n",
        end(declaration),
    );
    for river in ["nile", "amazon", "yangtze", "rhine"] {
        let _ = writeln!(
            out,
            "      <{choice} identifier=\"{river}\">The {river} of the third column</{choice}>"
        );
    }
    let _ = write!(out, "    {}\n  </{body}>\n  <{processing}/>\n{}\n", end(interaction), end(item));
}

fn qti_2(out: &mut String) {
    qti(false, out);
}

fn qti_3(out: &mut String) {
    qti(true, out);
}

/// Writes a quiz as Canvas exports it.
fn qti_12(out: &mut String) {
    out.push_str("<questestinterop xmlns=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2\"><assessment ident=\"a1\" title=\"Rivers\"><section ident=\"root_section\">\n");
    for n in 0..QUESTIONS {
        let _ = write!(
            out,
            "<item ident=\"g{n}\" title=\"River {n}\">\n<itemmetadata><qtimetadata>\
             <qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>multiple_choice_question</fieldentry></qtimetadatafield>\
             <qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>1.0</fieldentry></qtimetadatafield>\
             </qtimetadata></itemmetadata>\n<presentation><material><mattext texttype=\"text/html\">&lt;p&gt;{TEXT}&lt;/p&gt;</mattext></material>\n\
             <response_lid ident=\"response1\" rcardinality=\"Single\"><render_choice>\n"
        );
        for (id, river) in [(1001, "Nile"), (1002, "Amazon"), (1003, "Yangtze"), (1004, "Rhine")] {
            let _ = writeln!(
                out,
                "<response_label ident=\"{id}\"><material><mattext texttype=\"text/plain\">The {river} of {n}</mattext></material></response_label>"
            );
        }
        out.push_str(
            "</render_choice></response_lid></presentation>\n<resprocessing><outcomes><decvar maxvalue=\"100\" minvalue=\"0\" \
             varname=\"SCORE\" vartype=\"Decimal\"/></outcomes><respcondition continue=\"No\"><conditionvar>\
             <varequal respident=\"response1\">1001</varequal></conditionvar><setvar action=\"Set\" varname=\"SCORE\">100</setvar>\
             </respcondition></resprocessing>\n</item>\n",
        );
    }
    out.push_str("</section></assessment></questestinterop>\n");
}

fn main() -> ExitCode {
    type Write = fn(&mut String);
    // A file of Open edX has one problem, and a file of QTI 2 or 3 has one item, so they are read repeatedly.
    let all: [(Format, &str, Write, usize); 7] = [
        (Format::Qti3, "item.xml", qti_3, QUESTIONS),
        (Format::Qti2, "item.xml", qti_2, QUESTIONS),
        (Format::Qti12, "quiz.xml", qti_12, 1),
        (Format::MoodleXml, "quiz.xml", moodle, 1),
        (Format::Gift, "quiz.gift", gift, 1),
        (Format::Csv, "quiz.csv", csv, 1),
        (Format::OpenEdx, "problem.xml", olx, QUESTIONS),
    ];
    let mut table = String::from(
        "# Reading questions of other systems\n\nFrom bytes to checked specs, on one core; the quickest of 5 rounds.\n\n\
         | format | MB per second | questions per second |\n|---|--:|--:|\n",
    );
    let mut slow = false;
    for (format, name, write, times) in all {
        let mut text = String::new();
        write(&mut text);
        let (mut best, mut questions) = (f64::INFINITY, 0u64);
        for _ in 0..ROUNDS {
            questions = 0;
            let start = Instant::now();
            for _ in 0..times {
                let source = Source::new(name, text.as_bytes());
                let outcome = read(&source, Some(format), &mut |found| {
                    questions += u64::from(found.is_ok_and(|question| question.is_single()));
                });
                if let Err(error) = outcome {
                    eprintln!("{name}: {error}");
                    return ExitCode::FAILURE;
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        let speed = (text.len() * times) as f64 / 1e6 / best;
        slow |= format == Format::MoodleXml && speed < LEAST;
        let _ = writeln!(table, "| {format} | {speed:.1} | {:.0} |", questions as f64 / best);
    }
    println!("{table}");
    if let Some(path) = std::env::args().nth(1)
        && let Err(error) = std::fs::write(&path, &table)
    {
        eprintln!("{path}: {error}");
        return ExitCode::FAILURE;
    }
    if slow {
        eprintln!("Moodle XML is read slower than {LEAST} MB per second");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
