# The tables of the grading app.

import django.core.validators
import django.db.models.deletion
import fablegrade.contrib.django.fields
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Problem',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name='ProblemVersion',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('spec', fablegrade.contrib.django.fields.SpecField(help_text='An AnswerSpec with its key, as JSON.')),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('problem', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='grading.problem')),
            ],
            options={
                'ordering': ['problem', 'number'],
            },
        ),
        migrations.AddField(
            model_name='problem',
            name='current',
            field=models.ForeignKey(blank=True, help_text='What learners see; nothing while there is none.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.problemversion'),
        ),
        migrations.CreateModel(
            name='Hint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=64, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9_-]+$')])),
                ('text', models.TextField()),
                ('penalty', models.DecimalField(decimal_places=3, default=Decimal('0.1'), help_text='A fraction of the full score, 0 to 1.', max_digits=4, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)])),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hints', to='grading.problemversion')),
            ],
            options={
                'ordering': ['version', 'name'],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('document', fablegrade.contrib.django.fields.DocumentField(help_text='The Submission or Attempt document, as received.')),
                ('result', fablegrade.contrib.django.fields.DocumentField(help_text='The AttemptResult, canonical JSON.')),
                ('verdict', models.CharField(choices=[('correct', 'correct'), ('partial', 'partial'), ('incorrect', 'incorrect'), ('pending', 'pending'), ('error', 'error')], db_index=True, max_length=9)),
                ('score', models.FloatField(blank=True, null=True)),
                ('received', models.DateTimeField()),
                ('hints_used', models.JSONField(default=list)),
                ('learner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='grading.problemversion')),
            ],
            options={
                'ordering': ['-received'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RevealedHint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revealed', models.DateTimeField(auto_now_add=True)),
                ('hint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='grading.hint')),
                ('learner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddConstraint(
            model_name='problemversion',
            constraint=models.UniqueConstraint(fields=('problem', 'number'), name='one_version_of_a_number'),
        ),
        migrations.AddConstraint(
            model_name='hint',
            constraint=models.UniqueConstraint(fields=('version', 'name'), name='one_hint_of_a_name'),
        ),
        migrations.AddConstraint(
            model_name='hint',
            constraint=models.CheckConstraint(condition=models.Q(('penalty__gte', 0), ('penalty__lte', 1)), name='a_penalty_is_a_fraction'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(fields=['version', 'verdict'], name='grading_att_version_970cf4_idx'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(fields=['learner', '-received'], name='grading_att_learner_e2dae0_idx'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('score__isnull', True), ('verdict__in', ['pending', 'error'])), models.Q(('score__gte', 0), ('score__isnull', False), ('score__lte', 1), ('verdict__in', ['correct', 'partial', 'incorrect'])), _connector='OR'), name='grading_attempt_score_goes_with_verdict'),
        ),
        migrations.AddConstraint(
            model_name='revealedhint',
            constraint=models.UniqueConstraint(fields=('hint', 'learner'), name='a_hint_is_revealed_once'),
        ),
    ]
